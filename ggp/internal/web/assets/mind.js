// What a player thinks, as tables, and the value over time as a curve.
import {$, charts, element} from "./common.js";

const number = n => n >= 1e6 ? (n / 1e6).toFixed(1) + " M" : n >= 1e4 ? Math.round(n / 1e3) + " k" : String(Math.round(n));

// showMinds shows what is thought of one state: a part for each who thinks.
export function showMinds(minds, about, point) {
  $("nomind").hidden = minds.length > 0;
  $("thoughts").replaceChildren(...minds.map(m => mind(m, about, point)));
}

function mind(m, about, point) {
  const who = m.role < 0 ? "Analysis" : about.roles[m.role];
  const part = element("div", {className: "mind"},
    element("h3", {}, who),
    element("p", {className: "figures"}, `${number(m.perSecond)} iterations/s · ${number(m.nodes)} nodes · best line ${m.depth} deep`));
  m.roles.forEach((r, role) => {
    if (m.role >= 0 && role !== m.role && !r.moves?.length) return;
    if (r.value === null && !r.moves?.length) return;
    let proven = "";
    if (r.low === r.high) proven = ` (proven ${r.low})`;
    else if (r.low > 0 || r.high < 100) proven = ` (proven ${r.low} to ${r.high})`;
    part.append(element("p", {className: "figures"}, `${about.roles[role]}: ${r.value === null ? "?" : r.value.toFixed(1)}${proven}`));
    if (r.moves?.length) part.append(table(r, point));
    else if (r.best && role === m.role) part.append(element("p", {className: "line"}, "best: " + r.best));
  });
  if (m.line?.length) {
    part.append(element("p", {className: "line"}, element("b", {}, "Best line: "), m.line.map(j => j.moves.filter(x => x !== "noop").join(" / ")).join(", ")));
  }
  return part;
}

function table(r, point) {
  const most = Math.max(...r.moves.map(m => m.visits), 1);
  const body = element("tbody");
  for (const m of r.moves) {
    const bar = element("span", {className: "bar"});
    bar.style.width = 100 * m.visits / most + "%";
    const row = element("tr", {className: m.move === r.best ? "best" : ""},
      element("td", {}, m.move), element("td", {className: "num"}, m.visits ? m.value.toFixed(1) : "–"),
      element("td", {className: "num"}, number(m.visits)), element("td", {className: "visits"}, bar));
    row.addEventListener("mouseenter", () => point([[m.targets]]));
    row.addEventListener("mouseleave", () => point(null));
    body.append(row);
  }
  const head = element("thead", {}, element("tr", {}, element("th", {}, "Move"), element("th", {className: "num"}, "Value"), element("th", {className: "num"}, "Visits"), element("th", {ariaLabel: "part of the visits"})));
  return element("table", {}, head, body);
}

const colours = ["#2f6bd0", "#cf3a2f", "#2e9150", "#d99313", "#a843a8", "#159a9c"];

// A Curve shows the value for each role as the first who thinks sees it, by step.
export class Curve {
  constructor(box, roles) {
    this.box = box;
    this.roles = roles;
    this.values = roles.map(() => []);
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(box);
  }

  size() { return {width: Math.max(200, this.box.clientWidth), height: 190}; }

  // put sets the values of a step. What a role says of itself goes before what others say.
  put(n, who, values) {
    values.forEach((v, role) => {
      if (v === null || role >= this.roles.length) return;
      const known = this.values[role][n];
      if (!known || known.own <= (role === who)) this.values[role][n] = {v, own: role === who};
    });
    this.draw();
  }

  cut(n) {
    for (const list of this.values) list.length = Math.min(list.length, n);
    this.draw();
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.paint(); });
  }

  paint() {
    const steps = Math.max(0, ...this.values.map(v => v.length));
    if (!steps) return;
    if (typeof uPlot === "undefined") return void charts().then(() => this.draw(), () => {});
    const data = [Array.from({length: steps}, (_, i) => i), ...this.values.map(list => Array.from({length: steps}, (_, i) => list[i]?.v ?? null))];
    if (this.plot) return this.plot.setData(data);
    const ink = getComputedStyle(document.body).color;
    const axis = {stroke: ink, grid: {stroke: "#8884", width: 1}, ticks: {stroke: "#8884"}};
    this.box.replaceChildren();
    this.plot = new uPlot({
      ...this.size(), scales: {x: {time: false}, y: {range: [0, 100]}},
      axes: [{...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500]}, {...axis, size: 42}],
      series: [{label: "Step"}, ...this.roles.map((label, i) => ({
        label, stroke: colours[i % colours.length], width: 2, spanGaps: true, points: {size: 5}, value: (_, v) => v == null ? "–" : v.toFixed(1),
      }))],
      legend: {live: true},
    }, data, this.box);
  }
}
