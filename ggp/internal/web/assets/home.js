// The library: games by name, and the matches that there are.
import {$, element, request} from "./common.js";

const cards = [...document.querySelectorAll(".cards li")];
$("filter").oninput = () => {
  const wanted = $("filter").value.trim().toLowerCase();
  let found = 0;
  for (const card of cards) {
    card.hidden = !card.dataset.name.toLowerCase().includes(wanted);
    found += !card.hidden;
  }
  $("nothing").hidden = found > 0;
};

async function refresh() {
  if (document.hidden) return;
  const list = await request("/api/matches").catch(() => null);
  if (!list) return;
  $("matches").hidden = list.length === 0;
  document.querySelector(".matchlist").replaceChildren(...list.map(m => element("li", {},
    element("a", {href: "/match/" + encodeURIComponent(m.id)},
      element("b", {}, m.title), element("span", {}, m.players.map(p => p || "?").join(" · ")),
      element("em", {className: m.live ? "live" : ""}, m.live ? "live" : m.over || ""), element("small", {}, `${m.steps} states`)))));
}
setInterval(refresh, 3000);
