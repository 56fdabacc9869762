"use strict";
// Cells of the cross-table list their matches; a match is stepped through. Texts are
// set as text, never as HTML.
(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const at = id => document.getElementById(id);
  const element = (name, text) => {
    const e = document.createElement(name);
    e.textContent = text;
    return e;
  };
  let steps = [], now = 0, asked = 0;

  document.querySelectorAll("#cross tbody tr").forEach((line, i) => {
    line.querySelectorAll("td").forEach((cell, j) => {
      const button = cell.querySelector("button");
      if (!button) return;
      button.setAttribute("aria-label", `${page.rows[i].label} against ${page.rows[j].label}: ${button.textContent}`);
      button.addEventListener("click", () => list(page.rows[i], page.rows[j]));
    });
  });

  function list(a, b) {
    const rows = at("list-rows");
    rows.replaceChildren();
    at("list-title").textContent = `${a.label} and ${b.label}`;
    for (const m of page.matches) {
      if (!m.players.includes(a.player) || !m.players.includes(b.player)) continue;
      const row = document.createElement("tr");
      const name = document.createElement("td");
      name.className = "text";
      if (m.moves) {
        const button = element("button", m.id);
        button.type = "button";
        button.addEventListener("click", () => show(m, row));
        name.append(button);
      } else {
        name.textContent = m.id;
      }
      row.append(name, element("td", m.round));
      for (const text of [m.game, m.seats.join(", "), m.error || (m.goals || []).join(", "), m.error ? "failed" : m.ended]) {
        const cell = element("td", text);
        cell.className = "text";
        row.append(cell);
      }
      row.append(element("td", m.steps));
      rows.append(row);
    }
    at("list").hidden = false;
    at("match").hidden = true;
    at("list-title").focus();
  }

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  async function show(m, row) {
    const mine = ++asked;
    const unpacked = await unpack(m.moves);
    if (mine !== asked) return; // another one was chosen meanwhile
    for (const other of at("list-rows").children) other.classList.toggle("chosen", other === row);
    steps = unpacked;
    at("match-title").textContent = `${m.id}: ${m.game}, ${m.seats.join(" – ")}: ${(m.goals || []).join(" – ")}`;
    at("match").hidden = false;
    go(0);
    at("match-title").focus();
  }

  function go(step) {
    now = Math.min(Math.max(step, 0), steps.length - 1);
    const s = steps[now];
    at("where").textContent = `step ${now} of ${steps.length - 1}`;
    at("moves").textContent = (s.moves || []).join("   ");
    at("board").textContent = s.board;
    at("notes").replaceChildren(...(s.notes || []).map(n => element("li", n)));
  }

  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(now - 1));
  at("on").addEventListener("click", () => go(now + 1));
  at("last").addEventListener("click", () => go(steps.length - 1));
  document.addEventListener("keydown", e => {
    if (at("match").hidden || e.altKey || e.ctrlKey || e.metaKey) return;
    if (e.key === "ArrowLeft") go(now - 1);
    if (e.key === "ArrowRight") go(now + 1);
  });
})();
