// A game: the form that begins a match.
import {$, painted, request, tell} from "./common.js";

const form = $("play");
if (form) {
  const level = () => { $("leveltext").textContent = form.level.value; };
  form.level.oninput = level;
  level();
  painted().then(() => { // the first look into what is stored takes a while
    if (form.level.value !== form.level.defaultValue) return; // somebody was quicker
    form.level.value = localStorage.getItem("level") || 5;
    level();
  });
  const button = form.querySelector("button");
  addEventListener("pageshow", () => { button.disabled = false; }); // a browser that goes back may show the page as it was left
  form.onsubmit = async e => {
    e.preventDefault();
    tell("");
    button.disabled = true;
    localStorage.setItem("level", form.level.value);
    const number = text => Number.parseFloat(text) || 0;
    try {
      const {id} = await request("/api/play", {
        game: form.dataset.game, role: +form.elements.role.value, level: +form.level.value, play: number(form.elements.play.value), start: number(form.start.value),
      });
      location.href = "/match/" + id;
    } catch (problem) {
      tell(problem.message);
      button.disabled = false;
    }
  };
}
