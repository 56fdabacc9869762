// A match: watched as it is played, seen again, or played by the person at the page.
import {$, element, request, tell, legend, facts, painted} from "./common.js";
import {Board} from "./board.js";
import {showMinds, Curve} from "./mind.js";

const about = JSON.parse($("match").dataset.about);
const base = "/api/match/" + encodeURIComponent(about.id);
const steps = [];          // what is known of each state
const minds = new Map();   // newest thoughts about the last state, by who thinks
const drawn = new Map();   // boards by step, as they were fetched
let shown = -1;            // the step on the page
let follow = true;         // the last step is shown as it comes
let turn = null;           // what the person may play; null: nothing
let analysis = null;       // the stream of an analysis
let analysed = null;       // its newest thought
let pointed = null;        // a move of the table that is pointed at
let sending = false;

const board = new Board($("board"), {picked: play, changed: offerList});
const curve = new Curve($("curve"), about.roles);

const asked = /^#(\d+)$/.exec(location.hash);
let wanted = asked ? +asked[1] : null; // the step of a link, until it is there
if (asked) follow = false;

function lastStep() { return steps.length - 1; }

// move goes to a step. What is thought of another one says nothing of it.
function move(n) {
  if (n !== shown) {
    stopAnalysis();
    pointed = null; // a row that goes away is not left
  }
  shown = n;
}

// show shows a step: from what was sent for the last, else fetched.
async function show(n, keep) {
  n = Math.max(0, Math.min(n, lastStep()));
  if (!keep) follow = n === lastStep();
  move(n);
  refresh();
  let view = drawn.get(n);
  if (!view) {
    try {
      view = await request(`${base}/board/${n}`);
    } catch (problem) {
      return tell(problem.message);
    }
    if (drawn.size > 200) drawn.clear();
    drawn.set(n, view);
  }
  if (shown === n) paint(view);
}

function paint(view) {
  board.show(view.svg);
  legend($("legend"), view.legend);
  facts($("rest"), view.rest);
  offer();
  thoughts();
}

function current() {
  if (analysed) return [analysed];
  if (shown === lastStep() && minds.size) return [...minds.values()];
  return drawn.get(shown)?.minds || [];
}

function thoughts() {
  const list = current();
  showMinds(list, about, at => { pointed = at; lines(); });
  lines();
}

function lines() {
  if (pointed) return board.line(pointed);
  const best = current()[0];
  board.line(best && !board.path.length && !(turn && shown === lastStep() && best.role !== about.seat && best.role >= 0) ? best.line?.map(j => j.targets || []) || [] : []);
}

// refresh shows what depends on the step, without its board.
function refresh() {
  const s = steps[shown];
  $("where").textContent = `step ${shown} of ${Math.max(0, lastStep())}`;
  $("first").disabled = $("back").disabled = shown <= 0;
  $("last").disabled = $("forward").disabled = shown >= lastStep();
  $("link").href = "#" + shown;
  document.querySelector("#moves .here")?.classList.remove("here");
  const item = $("moves").children[shown - 1];
  if (item) {
    item.classList.add("here");
    const list = $("moves");
    if (item.offsetTop < list.scrollTop + list.offsetTop || item.offsetTop > list.scrollTop + list.offsetTop + list.clientHeight - 30) {
      list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  }
  document.querySelectorAll("#seats li").forEach((li, role) => {
    li.classList.toggle("turn", !!turn && turn.role === role && shown === lastStep());
    li.querySelector(".goal").textContent = s?.terminal && s.goals ? s.goals[role] : "";
    const elapsed = s?.elapsed?.[role];
    if (!turn) li.querySelector(".clock").textContent = elapsed ? elapsed.toFixed(1) + " s" : "";
  });
}

function moveText(s) { return s.moves.map((m, i) => s.moves.length > 1 && m === "noop" ? null : m).filter(Boolean).join(" · ") || "noop"; }

function addStep(s) {
  steps[s.n] = s;
  drawn.delete(s.n);
  drawn.delete(s.n - 1); // it came before what was thought there
  minds.clear();
  turn = null;
  if (s.n > 0) {
    const faults = (s.faults || []).filter(Boolean);
    const button = element("button", {type: "button"}, element("b", {}, String(s.n)), element("span", {}, moveText(s)));
    if (faults.length) button.append(element("small", {className: "fault"}, "fault: " + faults.join(", ")));
    button.addEventListener("click", () => show(s.n));
    $("moves").append(element("li", {}, button));
  }
}

// offer lets the person play, if it is their turn at the state that is shown.
function offer() {
  const mine = turn && shown === lastStep() && turn.n === shown && !sending;
  board.offer(mine ? turn.moves : []);
  $("mymoves").hidden = !mine;
  $("hint").disabled = !mine;
  if (mine) offerList(turn.moves, 0);
  prompt();
}

function prompt() {
  let text = "";
  if (turn && shown === lastStep()) {
    const s = steps[shown];
    const others = s?.n > 0 ? s.moves.map((m, i) => i === turn.role || m === "noop" ? null : `${about.roles[i]} played ${m}. `).filter(Boolean).join("") : "";
    text = `${others}${about.roles[turn.role]}, your move` + (turn.moves.some(m => m.targets?.length) ? "" : ": choose from the list");
    if (!turn.all) text += " (there are more moves than are listed)";
  } else if (about.seat >= 0 && about.live && !over) text = shown === lastStep() ? "The player thinks …" : "";
  if (over && shown === lastStep()) text = ending();
  $("prompt").textContent = text;
}

let over = about.over || "";
function ending() {
  const s = steps[lastStep()];
  if (s?.terminal && s.goals) return "The match is over: " + about.roles.map((r, i) => `${r} ${s.goals[i]}`).join(", ");
  return "The match " + (over.startsWith("you") ? "is over: " : "") + over;
}

// offerList lists the moves that are left, and asks which is meant where targets do not
// tell.
const mostListed = 400;
function offerList(left, depth) {
  if (!turn) return void ($("picked").hidden = true);
  const filter = $("movefilter").value.trim().toLowerCase();
  const list = left.filter(m => !filter || m.move.toLowerCase().includes(filter));
  $("movelist").replaceChildren(...list.slice(0, mostListed).map(m => element("li", {}, moveButton(m))));
  if (list.length > mostListed) $("movelist").append(element("li", {className: "hint"}, `and ${list.length - mostListed} more: type a part of the move`));
  const ask = depth > 0 && left.filter(m => m.targets.length === depth);
  $("picked").hidden = !ask || !ask.length;
  if (ask && ask.length) $("picked").replaceChildren(element("span", {}, "Which one? "), ...ask.slice(0, 30).map(m => moveButton(m)));
  lines();
}

function moveButton(m) {
  const button = element("button", {type: "button"}, m.move);
  button.addEventListener("click", () => play(m));
  button.addEventListener("mouseenter", () => board.line([[m.targets]]));
  button.addEventListener("mouseleave", () => lines());
  return button;
}

async function order(action, body) {
  tell("");
  try {
    return await request(`${base}/${action}`, {n: lastStep(), ...body});
  } catch (problem) {
    tell(problem.message);
    return null;
  }
}

async function play(m) {
  sending = true;
  const played = turn;
  turn = null;
  offer();
  $("prompt").textContent = `You play ${m.move}.`;
  const done = await order("move", {move: m.move});
  sending = false;
  if (!done && !turn) turn = played;
  offer();
}

// stream: what happens. The last board stands in the page already.
await painted();
const events = new EventSource(base + "/events");
const on = (name, f) => events.addEventListener(name, e => f(JSON.parse(e.data)));
let queued = false;
function catchUp() { // once for all that came together; the board comes by itself
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => {
    queued = false;
    refresh();
    state();
  });
}

on("about", a => {
  about.players = a.players;
  document.querySelectorAll("#seats .player").forEach((e, i) => { e.textContent = a.players[i]; });
});
on("step", s => { addStep(s); catchUp(); });
on("back", ({n}) => {
  steps.length = Math.min(steps.length, n);
  for (const k of drawn.keys()) if (k >= n) drawn.delete(k);
  while ($("moves").children.length > Math.max(0, n - 1)) $("moves").lastChild.remove();
  curve.cut(n);
  if (shown >= n) move(-1);
  follow = true;
});
on("board", b => {
  drawn.set(b.n, b);
  if (wanted !== null) { // all steps that there are have come before
    const n = wanted;
    wanted = null;
    return void show(n);
  }
  if (b.n === shown || follow && b.n === lastStep()) { move(b.n); refresh(); paint(b); }
});
on("value", v => curve.put(v.n, v.role, v.values));
on("mind", m => {
  if (m.n !== lastStep()) return;
  minds.set(m.role, m);
  curve.put(m.n, m.role, m.roles.map(r => r.value));
  if (shown === lastStep() && !analysed) thoughts();
});
on("turn", t => {
  turn = t;
  if (follow) move(lastStep());
  $("movefilter").value = "";
  if (t.moves.length > 40) $("movefilter").hidden = false; else $("movefilter").hidden = true;
  offer();
  refresh();
  state();
});
on("note", n => {
  $("notes").hidden = false;
  const who = n.role >= 0 ? about.roles[n.role] + ": " : "";
  $("notes").querySelector("ul").append(element("li", {}, who + n.text));
});
on("end", e => {
  over = e.how;
  if (over) turn = null;
  about.live = !over;
  state();
  offer();
  refresh();
});
on("anew", () => location.reload()); // the program was begun again
on("over", () => { events.close(); about.live = false; state(); });
events.onerror = () => { if (events.readyState === EventSource.CLOSED) tell("The program does not tell any more. Load the page again."); };

function state() {
  const pill = $("state");
  pill.classList.toggle("live", about.live);
  pill.textContent = about.live ? "live" : over;
  for (const id of ["undo", "hint", "resign"]) $(id).hidden = about.seat < 0;
  $("resign").disabled = !!over;
  $("undo").disabled = lastStep() < 1 && !over;
  $("analyze").hidden = !about.analyze || document.body.dataset.watchonly === "true";
}

// buttons and keys.
$("first").onclick = () => show(0);
$("back").onclick = () => show(shown - 1);
$("forward").onclick = () => show(shown + 1);
$("last").onclick = () => show(lastStep());
$("link").onclick = e => {
  e.preventDefault();
  history.replaceState(null, "", "#" + shown);
  navigator.clipboard?.writeText(location.href).then(() => { $("link").textContent = "Link copied"; setTimeout(() => { $("link").textContent = "Link to this position"; }, 1500); }, () => {});
};
addEventListener("hashchange", () => { const n = /^#(\d+)$/.exec(location.hash); if (n) show(+n[1]); });
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey || /INPUT|TEXTAREA|SELECT/.test(e.target.tagName)) return;
  const to = {ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: lastStep()}[e.key];
  if (to === undefined || e.target.closest?.("[data-at]")) return;
  e.preventDefault();
  show(to);
});
$("movefilter").oninput = () => offerList(board.left(), board.path.length);
$("undo").onclick = () => { follow = true; order("undo"); };
$("resign").onclick = () => { if (confirm("Resign this match?")) order("resign"); };
$("hint").onclick = async () => {
  $("hint").disabled = true;
  $("prompt").textContent = "The player thinks about your move …";
  const hint = await order("hint");
  $("hint").disabled = !turn;
  if (!hint) return prompt();
  $("prompt").textContent = "Hint: " + hint.move;
  board.line([[hint.targets]]);
};

function stopAnalysis() {
  analysis?.close();
  analysis = analysed = null;
  $("analyze").textContent = "Think about this position";
}
$("analyze").onclick = () => {
  if (analysis) { stopAnalysis(); return thoughts(); }
  tell("");
  analysis = new EventSource(`${base}/analyze?n=${shown}`);
  $("analyze").textContent = "Stop thinking";
  const end = problem => {
    analysis?.close();
    analysis = null;
    $("analyze").textContent = "Think about this position";
    if (problem) tell(problem);
  };
  analysis.addEventListener("mind", e => { analysed = JSON.parse(e.data); thoughts(); });
  analysis.addEventListener("problem", e => end(JSON.parse(e.data).error));
  analysis.addEventListener("over", () => end(""));
  analysis.onerror = () => end("The position cannot be thought about now: too many are, or the program has stopped.");
};

setInterval(() => { // the clock of the person
  if (!turn?.until) return;
  const left = Math.max(0, (turn.until - Date.now()) / 1000);
  const li = document.querySelectorAll("#seats li")[turn.role];
  li.querySelector(".clock").textContent = left.toFixed(0) + " s";
}, 250);

state();
