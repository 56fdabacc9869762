// An experiment as it is played.
import {$, charts, drawing, element, facts, legend} from "./common.js";

const rows = [], means = [];
let plot = null, waiting = false;
const events = new EventSource("/api/experiment");
const on = (name, f) => events.addEventListener(name, e => f(JSON.parse(e.data)));

on("about", a => {
  $("progress").max = Math.max(1, a.total);
  $("progress").value = a.done;
  $("done").textContent = `${a.done} of ${a.total} plays` + (a.left > 0 ? `, about ${Math.ceil(a.left / 60)} min left` : "");
});
on("row", ({n, row}) => {
  const cells = [row.game, row.setting, row.agent, row.baseline, row.plays, row.score.toFixed(1), row.plays > 1 ? `${row.low.toFixed(1)} to ${row.high.toFixed(1)}` : ""];
  if (row.failed) cells[4] += ` (${row.failed} failed)`;
  const tr = element("tr", {}, ...cells.map((c, i) => element("td", {className: i === 4 || i === 5 ? "num" : ""}, String(c))));
  if (rows[n]) rows[n].replaceWith(tr); else $("rows").append(tr);
  rows[n] = tr;
});
on("play", p => {
  if (p.error) return;
  const list = means[p.row] ||= [];
  list.push(((list.at(-1) || 0) * list.length + p.score) / (list.length + 1));
  $("plays").prepend(element("li", {}, `${p.name}: ${p.score.toFixed(0)} (${p.turns} turns)`));
  while ($("plays").children.length > 50) $("plays").lastChild.remove();
  if (!waiting) { waiting = true; requestAnimationFrame(draw); }
});
on("over", () => events.close());
on("anew", () => location.reload()); // the program was begun again: what stands here is of the one before

// The match on the board is the one that began last: its page has all of it.
let watched = null, next = null;
on("match", m => {
  const title = `${m.title}, ${m.players.filter(Boolean).join(" against ")}`;
  $("matches").prepend(element("li", {}, element("a", {href: "/match/" + encodeURIComponent(m.id)}, title)));
  while ($("matches").children.length > 50) $("matches").lastChild.remove();
  clearTimeout(next); // of those that were on the board before this page was opened, the last is followed
  next = setTimeout(() => watch(m, title), 50);
});
function watch(m, title) {
  watched?.close();
  $("playing").hidden = false;
  $("watch").href = "/match/" + encodeURIComponent(m.id);
  $("watch").textContent = title;
  $("seats").replaceChildren(...m.roles.map((role, i) => element("li", {}, element("b", {}, role), " " + m.players[i])));
  watched = new EventSource(`/api/match/${encodeURIComponent(m.id)}/events`);
  watched.addEventListener("board", e => {
    const b = JSON.parse(e.data);
    $("board").replaceChildren(...[drawing(b.svg)].filter(Boolean));
    legend($("legend"), b.legend);
    facts($("rest"), b.rest);
  });
  watched.addEventListener("over", () => watched.close());
  watched.onerror = () => watched.close();
}

const colours = ["#2f6bd0", "#cf3a2f", "#2e9150", "#d99313", "#a843a8", "#159a9c"];
function draw() {
  waiting = false;
  if (typeof uPlot === "undefined") return void charts().then(draw, () => {});
  const longest = Math.max(0, ...means.map(m => m?.length || 0));
  const data = [Array.from({length: longest}, (_, i) => i + 1), ...Array.from(means, m => Array.from({length: longest}, (_, i) => m?.[i] ?? null))];
  if (plot && plot.series.length === data.length) return plot.setData(data);
  plot?.destroy();
  $("curve").replaceChildren();
  const ink = getComputedStyle(document.body).color;
  const axis = {stroke: ink, grid: {stroke: "#8884", width: 1}, ticks: {stroke: "#8884"}};
  plot = new uPlot({
    width: Math.max(260, $("curve").clientWidth), height: 240, scales: {x: {time: false}, y: {range: [0, 100]}}, axes: [axis, {...axis, size: 42}],
    series: [{label: "Play"}, ...Array.from(means, (_, i) => ({label: rows[i]?.children[0]?.textContent || `row ${i + 1}`, stroke: colours[i % colours.length], width: 2}))],
  }, data, $("curve"));
}
