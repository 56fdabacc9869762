// What all pages need: requests, drawings, dropped files. Text from a match is only
// ever set as text.

export const $ = id => document.getElementById(id);

// element makes an element with properties and children, which are nodes or texts.
export function element(name, properties = {}, ...children) {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}

export function tell(problem) {
  const p = $("problem");
  p.textContent = problem;
  p.hidden = !problem;
}

// request fetches JSON; what went wrong is an Error that people can read.
export async function request(url, body) {
  const options = body === undefined ? {} : {
    method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers: {"Content-Type": "application/json"},
  };
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new Error("The program does not answer. Is it still running?");
  }
  const value = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(value.error || `the program answered ${response.status}`);
  return value;
}

// drawing reads SVG of the program as a tree; it must be well formed.
export function drawing(svg) {
  if (!svg) return null;
  const doc = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (doc.documentElement.nodeName !== "svg") return null;
  return document.importNode(doc.documentElement, true);
}

// painted waits until what stands in the page is to be seen, which others wait for too.
export function painted() {
  return new Promise(done => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 300); // a page in the background is not painted
  });
}

// charts loads what draws charts, when the first is to be drawn.
let charting = null;
export function charts() {
  charting ??= new Promise((done, failed) => {
    document.head.append(element("script", {src: new URL("./uplot.js", import.meta.url).href, onload: done, onerror: failed}));
  });
  return charting;
}

function shape(data) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-18 -18 36 36");
  svg.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  svg.firstChild.setAttribute("d", data);
  return svg;
}

export function legend(into, entries) {
  into.replaceChildren(...(entries || []).map(e => {
    const letter = element("i", {}, e.shape ? shape(e.shape) : e.letter || "●");
    letter.classList.add(...e.class.split(" ").filter(Boolean));
    return element("li", {}, letter, " " + e.name);
  }));
}

export function facts(into, list) {
  into.replaceChildren(...(list || []).map(f => element("code", {}, f)));
}

// open takes a file that was chosen or dropped: a record, or a description.
async function open(file) {
  try {
    const text = await file.text();
    if (/^\s*\{/.test(text)) {
      const {id} = await request("/api/record", text);
      location.href = "/match/" + id;
      return;
    }
    sessionStorage.setItem("dropped", JSON.stringify({title: file.name.replace(/\.\w+$/, ""), rules: text}));
    location.href = "/paste";
  } catch (problem) {
    tell(problem.message);
  }
}

$("recordfile")?.addEventListener("change", e => e.target.files[0] && open(e.target.files[0]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  addEventListener(kind, e => {
    if (!e.dataTransfer?.types.includes("Files")) return;
    e.preventDefault();
    document.body.classList.toggle("dropping", kind === "dragover");
    if (kind === "drop" && e.dataTransfer.files[0]) open(e.dataTransfer.files[0]);
  });
}
