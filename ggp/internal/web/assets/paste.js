// Rules that are pasted: what is odd or wrong in them beside the lines.
import {$, element, request, tell, drawing} from "./common.js";

const form = $("paste"), text = $("rules"), lines = $("lines");
let findings = [];

function number() {
  const count = text.value.split("\n").length;
  const shown = Math.min(count, 5000);
  while (lines.children.length > shown) lines.lastChild.remove();
  while (lines.children.length < shown) lines.append(element("li", {}, String(lines.children.length + 1)));
  for (const li of lines.children) li.className = "";
  for (const f of findings) lines.children[f.line - 1]?.classList.add(f.error ? "error" : "warning");
  lines.scrollTop = text.scrollTop;
}
text.oninput = () => { findings = []; number(); };
text.onscroll = () => { lines.scrollTop = text.scrollTop; };

// jump puts the cursor where a finding is.
function jump(f) {
  const rows = text.value.split("\n");
  const start = rows.slice(0, f.line - 1).reduce((n, row) => n + row.length + 1, 0) + f.col - 1;
  text.focus();
  text.setSelectionRange(start, start + Math.max(1, /^[^\s()]*/.exec(text.value.slice(start))[0].length));
  text.scrollTop = Math.max(0, (f.line - 8) * 21.6);
}

form.onsubmit = async e => {
  e.preventDefault();
  tell("");
  $("result").replaceChildren(element("p", {className: "hint"}, "Reading …"));
  $("preview").replaceChildren();
  let read;
  try {
    read = await request("/api/paste", {title: form.elements.title.value, rules: text.value});
  } catch (problem) {
    $("result").replaceChildren(element("p", {className: "bad"}, problem.message));
    return;
  }
  findings = read.findings;
  number();
  const errors = findings.filter(f => f.error).length;
  const result = [];
  if (read.key) {
    result.push(element("p", {}, `It can be played: ${read.roles.join(", ")}.`), element("p", {}, element("a", {href: "/games/" + read.key, id: "playit", className: "primary"}, "Play it")));
  } else {
    result.push(element("p", {className: "bad"}, errors ? `It cannot be played: ${errors} ${errors === 1 ? "error" : "errors"}.` : `It cannot be played: ${read.problem}`));
  }
  if (!findings.length && read.key) result.push(element("p", {className: "hint"}, "There is nothing odd about its text."));
  result.push(element("ul", {className: "findings"}, ...findings.map(f => {
    const button = element("button", {type: "button", className: f.error ? "error" : "warning"},
      element("b", {}, `Line ${f.line}: `), (f.error ? "error: " : "warning: ") + f.message, f.advice ? element("span", {className: "hint"}, " " + f.advice) : "");
    button.onclick = () => jump(f);
    return element("li", {}, button);
  })));
  $("result").replaceChildren(...result);
  const tree = drawing(read.board?.svg);
  if (tree) $("preview").append(tree);
};

const dropped = sessionStorage.getItem("dropped");
if (dropped) {
  sessionStorage.removeItem("dropped");
  const {title, rules} = JSON.parse(dropped);
  form.elements.title.value = title;
  text.value = rules;
  form.requestSubmit();
}
number();
