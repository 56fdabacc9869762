// The board of a page: what is drawn, what can be clicked, dragged and reached by keys.
import {drawing} from "./common.js";

const SVG = "http://www.w3.org/2000/svg";

// A Board shows drawings in a box. A person picks a move by its targets, one after the
// other: what the moves that are left name next can be picked.
export class Board {
  constructor(box, {picked, changed}) {
    this.box = box;
    this.picked = picked;    // (move): a whole move has been made
    this.changed = changed;  // (moves that are left, how many targets are picked)
    this.moves = [];
    this.path = [];
    box.addEventListener("click", e => this.at(e.target) && this.pick(this.at(e.target)));
    box.addEventListener("keydown", e => this.key(e));
    box.addEventListener("pointerdown", e => this.grab(e));
    this.adopt(box.querySelector("svg.board"));
  }

  show(svg) {
    const tree = drawing(svg);
    const focused = document.activeElement?.dataset?.at;
    this.box.querySelector("svg.board")?.remove();
    if (tree) this.box.append(tree);
    this.adopt(tree, focused);
  }

  adopt(tree, focused) {
    this.tree = tree;
    this.squares = new Map();
    if (!tree) return;
    for (const g of tree.querySelectorAll("[data-at]")) {
      this.squares.set(g.dataset.at, g);
      g.setAttribute("role", "img");
      g.setAttribute("tabindex", "-1");
    }
    const first = this.squares.get(focused) || this.squares.values().next().value;
    first?.setAttribute("tabindex", "0");
    if (focused) this.squares.get(focused)?.focus({preventScroll: true});
    this.mark();
  }

  // offer lets a person pick one of these moves; none: nothing can be picked.
  offer(moves) {
    this.moves = moves;
    this.path = [];
    this.mark();
  }

  at(node) { return node.closest?.("[data-at]")?.dataset.at; }

  // left is the moves that begin with what has been picked.
  left() { return this.moves.filter(m => this.path.every((at, i) => fits(m.targets?.[i], at))); }

  // next is the squares that the moves that are left name next.
  next() {
    const found = new Set();
    for (const m of this.left()) {
      const target = m.targets?.[this.path.length];
      if (!target) continue;
      if (this.squares.has(target)) found.add(target);
      else for (const at of this.squares.keys()) if (fits(target, at)) found.add(at);
    }
    return found;
  }

  mark() {
    const next = this.moves.length ? this.next() : new Set();
    for (const [at, g] of this.squares) {
      g.classList.toggle("can", next.has(at));
      g.classList.toggle("chosen", this.path.includes(at));
      g.setAttribute("role", next.has(at) ? "button" : "img");
    }
    this.changed?.(this.left(), this.path.length);
  }

  pick(at) {
    if (!this.moves.length) return;
    if (!this.next().has(at)) {
      const again = this.path.at(-1) === at;
      this.path = [];
      if (again || !this.next().has(at)) return this.mark();
    }
    this.path.push(at);
    const left = this.left();
    const whole = left.filter(m => m.targets.length === this.path.length);
    if (left.length === 1 && whole.length === 1) return this.finish(left[0]);
    this.mark();
  }

  finish(move) {
    this.path = [];
    this.offer([]);
    this.picked(move);
  }

  clear() {
    this.path = [];
    this.mark();
  }

  key(e) {
    const at = this.at(e.target);
    if (!at) return;
    if (e.key === "Enter" || e.key === " ") {
      e.preventDefault();
      this.pick(at);
      return;
    }
    if (e.key === "Escape") return this.clear();
    const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
    if (!way) return;
    e.preventDefault();
    e.stopPropagation();
    const to = this.neighbour(at, way);
    if (!to) return;
    this.squares.get(at).setAttribute("tabindex", "-1");
    this.squares.get(to).setAttribute("tabindex", "0");
    this.squares.get(to).focus();
  }

  // neighbour is the nearest square in a direction.
  neighbour(at, [dx, dy]) {
    const here = this.middle(at);
    let best = null, least = Infinity;
    for (const other of this.squares.keys()) {
      const there = this.middle(other);
      const x = there.x - here.x, y = there.y - here.y;
      const along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
      if (along < 4 || across > along + 4) continue;
      if (along + 2 * across < least) [best, least] = [other, along + 2 * across];
    }
    return best;
  }

  middle(at) {
    const shape = this.squares.get(at)?.firstElementChild;
    if (!shape) return null;
    const box = shape.getBBox();
    const [own, whole] = [shape.getCTM(), this.tree.getCTM()]; // a board in a picture is drawn larger
    const point = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    return own && whole ? point.matrixTransform(whole.inverse().multiply(own)) : point;
  }

  // grab begins to drag a piece, if it can be moved from here. A drag that does not
  // leave its square is a click.
  grab(e) {
    const from = this.at(e.target);
    if (!from || !this.moves.length || e.button !== 0 || !this.next().has(from)) return;
    if (e.pointerType === "touch") return; // fingers scroll and tap
    let over = null, began = false;
    const move = ev => {
      const at = this.at(document.elementFromPoint(ev.clientX, ev.clientY) || this.box);
      if (!began && at !== from && at) {
        began = true;
        this.path = [];
        this.pick(from);
      }
      if (over !== at) {
        this.squares.get(over)?.classList.remove("drop");
        over = at;
        if (began && this.next().has(at)) this.squares.get(at)?.classList.add("drop");
      }
    };
    const end = ev => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      this.squares.get(over)?.classList.remove("drop");
      const at = this.at(document.elementFromPoint(ev.clientX, ev.clientY) || this.box);
      if (!began || !at || at === from) return;
      addEventListener("click", stop, {capture: true, once: true});
      setTimeout(() => removeEventListener("click", stop, {capture: true}), 0);
      if (this.next().has(at)) this.pick(at);
      else this.clear();
    };
    const stop = ev => ev.stopPropagation();
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  // line draws a line of play: an arrow for each move, paler with each.
  line(joints) {
    this.tree?.querySelectorAll(".arrow, .head").forEach(e => e.remove());
    if (!this.tree) return;
    let n = 0;
    for (const joint of joints) {
      for (const targets of joint) {
        const shown = (targets || []).map(t => this.squares.has(t) ? t : this.column(t)).filter(Boolean);
        if (shown.length && n < 4) this.arrow(shown, n);
      }
      if (joint.some(t => t?.length)) n++;
    }
  }

  // column is the square that stands for a column or row: its first.
  column(target) {
    for (const at of this.squares.keys()) if (fits(target, at)) return at;
    return null;
  }

  arrow(targets, n) {
    const points = targets.map(at => this.middle(at)).filter(Boolean);
    if (points.length === 1) {
      const ring = document.createElementNS(SVG, "circle");
      set(ring, {class: `arrow a${n}`, cx: points[0].x, cy: points[0].y, r: 18});
      this.tree.append(ring);
      return;
    }
    const [a, b] = [points.at(-2), points.at(-1)];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    const tip = {x: b.x - ux * 4, y: b.y - uy * 4}, neck = {x: b.x - ux * 18, y: b.y - uy * 18};
    const path = document.createElementNS(SVG, "path");
    set(path, {class: `arrow a${n}`, d: "M" + [...points.slice(0, -1), neck].map(p => `${p.x} ${p.y}`).join("L")});
    const head = document.createElementNS(SVG, "path");
    set(head, {class: `head a${n}`, d: `M${tip.x} ${tip.y}L${neck.x - uy * 9} ${neck.y + ux * 9}L${neck.x + uy * 9} ${neck.y - ux * 9}Z`});
    this.tree.append(path, head);
  }
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

// fits tells whether a square is what a target means: itself, or its column or row.
function fits(target, at) {
  if (!target) return false;
  if (target === at) return true;
  const square = /^s(\d+)\.(\d+)$/.exec(at);
  return !!square && (target === "c" + square[1] || target === "r" + square[2]);
}
