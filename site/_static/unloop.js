// What the pages do in the browser: predictions ask, covered results wait for them, and stored races become charts.
// Everything stays in the page: nothing is stored, nothing is sent, and no other host is asked.

const answered = new Set();

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Predictions

function phrase(question, guess) {
  if (question.choices.length) return `“${guess}”`;
  const digits = Number(guess).toLocaleString("en-US", { maximumSignificantDigits: 12 });
  return question.unit === "×" ? `${digits}×` : `${digits} ${question.unit}`;
}

function choiceField(question) {
  const field = element("fieldset", {}, element("legend", { class: "visually-hidden" }, "Your guess"));
  for (const choice of question.choices) {
    const radio = element("input", { type: "radio", name: `guess-${question.id}`, value: choice });
    field.append(element("label", {}, radio, ` ${choice}`));
  }
  return { field, read: () => field.querySelector("input:checked")?.value, hint: "Choose an answer first." };
}

function ratioField(question) {
  const [low, high] = [Math.log10(question.low), Math.log10(question.high)];
  const slider = element("input", { type: "range", min: low, max: high, step: 0.05, value: (low + high) / 2 });
  slider.setAttribute("aria-label", "Your guess, on a logarithmic scale");
  const value = () => String(Number((10 ** slider.value).toPrecision(2)));
  const reading = element("output", {}, "…");
  let moved = false;
  const show = () => {
    moved = true;
    reading.textContent = phrase(question, value());
    slider.setAttribute("aria-valuetext", reading.textContent);
  };
  slider.addEventListener("input", show);
  slider.addEventListener("keydown", show);
  return {
    field: element("div", { class: "unloop-field" }, slider, reading),
    read: () => (moved ? value() : undefined),
    hint: "Move the slider first.",
  };
}

function numberField(question) {
  const range = [question.low, question.high].map((end) => end.toLocaleString("en-US")).join(" to ");
  const input = element("input", { type: "text", inputmode: "decimal", placeholder: range, "aria-label": `Your guess: ${range} ${question.unit}` });
  const read = () => {
    const number = Number(input.value.replaceAll(",", ""));
    return input.value.trim() && number >= question.low && number <= question.high ? String(number) : undefined;
  };
  return { field: element("div", { class: "unloop-field" }, input, ` ${question.unit}`), read, hint: `Type a number from ${range}.` };
}

function askPrediction(box) {
  const question = JSON.parse(box.dataset.question);
  box.querySelector("ul")?.remove();
  const kind = question.choices.length ? choiceField : question.unit === "×" && !question.exact ? ratioField : numberField;
  const { field, read, hint } = kind(question);
  const button = element("button", { type: "submit", class: "unloop-button" }, "Lock in my guess");
  const status = element("p", { role: "status" });
  const form = element("form", { "aria-label": `Prediction ${question.id}` }, field, button, status);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const guess = read();
    if (guess === undefined) {
      status.textContent = hint;
      return;
    }
    for (const each of form.querySelectorAll("input, button")) each.disabled = true;
    const measured = question.answer ? ` The measurement below: ${question.answer}.` : " The result is uncovered below.";
    status.textContent = `Your guess: ${phrase(question, guess)}.${measured}`;
    answered.add(question.id);
    uncover();
  });
  box.append(form);
}

// Covers

const PREFIX = "tag_waits-for-";
const covers = [];

function coverCell(cell) {
  const waitsFor = [...cell.classList].filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
  const content = cell.querySelector(":scope > .cell_output") ?? cell.querySelector(":scope > figure");
  if (!content) return;
  const button = element("button", { type: "button", class: "unloop-button unloop-plain" }, "Show it without a guess");
  const cover = element("div", { class: "unloop unloop-cover" }, element("p", {}, "The result is covered until you have made your guess above."), button);
  button.addEventListener("click", () => {
    waitsFor.forEach((name) => answered.add(name));
    uncover();
  });
  content.hidden = true;
  content.before(cover);
  covers.push({ waitsFor, cover, content });
}

function uncover() {
  for (const { waitsFor, cover, content } of covers) {
    if (waitsFor.every((name) => answered.has(name)) && content.hidden) {
      content.hidden = false;
      cover.remove();
      scrollable(content);
    }
  }
}

// Races

function duration(seconds) {
  for (const [unit, scale] of [["ns", 1e-9], ["µs", 1e-6], ["ms", 1e-3]]) {
    if (seconds < 999 * scale) return `${Number((seconds / scale).toPrecision(3))} ${unit}`;
  }
  return `${seconds.toLocaleString("en-US")} s`;
}

function decades(low, high) {
  const powers = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high * (1 + 1e-9); power++) powers.push(10 ** power);
  if (powers.length < 2) return [1, 2, 5].flatMap((digit) => [-1, 0, 1].map((step) => digit * 10 ** (Math.floor(Math.log10(low)) + step))).filter((tick) => tick >= low && tick <= high).sort((a, b) => a - b);
  const step = Math.ceil(powers.length / 7);
  return powers.filter((_, index) => index % step === 0);
}

function chartSpec(figure, result, showLimit) {
  const style = getComputedStyle(figure);
  const color = (name) => style.getPropertyValue(name).trim();
  const [text, muted, grid, paper] = ["text", "muted", "grid", "paper"].map((name) => color(`--unloop-${name}`));
  const timed = result.points.filter((point) => point.s);
  const times = timed.flatMap((point) => [point.s, point.low, point.high]).concat(result.limit.map((each) => each.s)).filter((each) => each > 0);
  const stretch = Math.max(Math.max(...times) / Math.min(...times), 10) ** 0.05;
  const [low, high] = [Math.min(...times) / stretch, Math.max(...times) * stretch];
  const margin = Math.max(result.sizes.at(-1) / result.sizes[0], 4) ** 0.05;
  const names = result.contenders.map((each) => each.name);
  const shapes = result.contenders.map((each) => each.shape);
  const y = { type: "quantitative", scale: { type: "log", domain: [low, high], nice: false }, title: "time per call" };
  y.axis = { values: decades(low, high), labelExpr: `datum.value < 9.99e-7 ? round(datum.value * 1e9) + ' ns' : datum.value < 9.99e-4 ? round(datum.value * 1e6) + ' µs' : datum.value < 0.999 ? round(datum.value * 1e3) + ' ms' : format(datum.value, ',') + ' s'`, domain: false, ticks: false };
  const x = { field: "size", type: "quantitative", title: result.axis };
  x.scale = { type: "log", domain: [result.sizes[0] / margin, result.sizes.at(-1) * margin], nice: false };
  x.axis = { values: result.sizes, format: ",", labelOverlap: "greedy", labelSeparation: 8, grid: false, tickSize: 4 };
  const series = { field: "name", type: "nominal", sort: names, legend: null, scale: { domain: names, range: result.contenders.map((each) => color(each.color)) } };
  const shape = { field: "name", type: "nominal", sort: names, legend: null, scale: { domain: names, range: shapes } };
  const tooltip = [{ field: "name", title: "version" }, { field: "size", title: result.axis, format: "," }, { field: "words", title: "median" }, { field: "details", title: "details" }];
  // The dashed continuation starts at the last measured point of its contender.
  const continued = names.flatMap((name) => {
    const own = timed.filter((point) => point.name === name).sort((a, b) => a.size - b.size);
    const first = own.findIndex((point) => point.status === "extrapolated");
    return first < 0 ? [] : own.slice(Math.max(first - 1, 0));
  });
  const measured = timed.filter((point) => point.status === "measured");
  const at = (field) => ({ ...y, field });
  const layer = [
    { data: { values: measured }, mark: { type: "area", opacity: 0.2 }, encoding: { x, y: at("low"), y2: { field: "high" }, color: series } },
    { data: { values: measured }, mark: { type: "rule", strokeWidth: 1.2 }, encoding: { x, y: at("low"), y2: { field: "high" }, color: series } },
    { data: { values: measured }, mark: { type: "line", strokeWidth: 2.2 }, encoding: { x, y: at("s"), color: series } },
    { data: { values: continued }, mark: { type: "line", strokeWidth: 1.4, strokeDash: [3, 3] }, encoding: { x, y: at("s"), color: series } },
    { data: { values: timed.filter((point) => point.status === "extrapolated") }, mark: { type: "point", size: 80, strokeWidth: 1.6, fill: paper, opacity: 1 }, encoding: { x, y: at("s"), color: series, shape, tooltip } },
    { data: { values: measured }, mark: { type: "point", filled: true, size: 80, opacity: 1 }, encoding: { x, y: at("s"), color: series, shape, tooltip } },
  ];
  if (showLimit && result.limit.length) {
    const limit = { data: { values: result.limit }, encoding: { x, y: at("s") } };
    layer.unshift(
      { ...limit, mark: { type: "area", color: muted, opacity: 0.13 }, encoding: { x, y: at("s"), y2: { datum: low } } },
      { ...limit, mark: { type: "line", color: muted, strokeWidth: 1.6, strokeDash: [5, 2] } },
      { ...limit, mark: { type: "point", color: muted, filled: true, size: 60, opacity: 0.01 }, encoding: { x, y: at("s"), tooltip: [{ field: "size", title: result.axis, format: "," }, { field: "words", title: "physical limit" }] } },
    );
  }
  const font = getComputedStyle(document.body).fontFamily;
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: "container",
    height: 320,
    autosize: { type: "fit", contains: "padding" },
    background: "transparent",
    padding: { left: 0, right: 8, top: 8, bottom: 0 },
    layer,
    config: { font, view: { stroke: null }, aria: false, axis: { labelColor: muted, titleColor: muted, gridColor: grid, domainColor: grid, tickColor: grid, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" }, text: { color: text } },
  };
}

const MARKS = { circle: "●", square: "■", "triangle-up": "▲", diamond: "◆", "triangle-down": "▼", cross: "✚", wedge: "✖" };

function legend(result, showLimit) {
  const list = element("ul", { class: "unloop-legend" });
  for (const each of result.contenders) {
    const own = result.points.filter((point) => point.name === each.name);
    const trouble = own.find((point) => !point.s);
    const notes = [own.some((point) => point.status === "extrapolated") && "hollow: extrapolated", trouble && `${trouble.words} at n = ${trouble.size.toLocaleString("en-US")}`].filter(Boolean);
    const mark = element("span", { "aria-hidden": "true", style: `color:var(${each.color})` }, MARKS[each.shape]);
    list.append(element("li", {}, mark, ` ${each.name}`, notes.length ? element("small", {}, ` ${notes.join("; ")}`) : ""));
  }
  if (showLimit && result.limit.length) {
    list.append(element("li", {}, element("span", { "aria-hidden": "true", style: "color:var(--unloop-muted)" }, "╌"), " physical limit", element("small", {}, ` ${result.limit.at(-1).words.split(", ")[1]}`)));
  }
  return list;
}

function figuresTable(result) {
  const head = element("tr", {}, element("th", { scope: "col" }, "n"), ...result.contenders.map((each) => element("th", { scope: "col" }, each.name)));
  if (result.limit.length) head.append(element("th", { scope: "col" }, "physical limit"));
  const body = element("tbody");
  for (const size of result.sizes) {
    const row = element("tr", {}, element("th", { scope: "row" }, size.toLocaleString("en-US")));
    for (const { name } of result.contenders) {
      const point = result.points.find((each) => each.name === name && each.size === size);
      row.append(element("td", {}, point?.words ?? "–", point?.details ? element("small", {}, point.details) : ""));
    }
    const limit = result.limit.find((each) => each.size === size);
    if (result.limit.length) row.append(element("td", {}, limit?.words ?? "–"));
    body.append(row);
  }
  const scroll = element("div", { class: "unloop-scroll" }, element("table", {}, element("thead", {}, head), body));
  return element("details", {}, element("summary", {}, "All figures"), scroll);
}

async function drawRace(figure) {
  const data = JSON.parse(figure.querySelector("script").textContent);
  const still = figure.querySelector("img");
  const controls = element("div", { class: "unloop-controls" });
  const menu = element("select", {}, ...data.results.map((each, index) => element("option", { value: index }, each.label)));
  const box = element("input", { type: "checkbox", checked: "" });
  if (data.results.length > 1) controls.append(element("label", {}, "Machine ", menu));
  const limitLabel = element("label", {}, box, " Physical limit");
  controls.append(limitLabel);
  const finding = element("p", { class: "unloop-finding", role: "status" });
  const keys = element("div");
  const plot = element("div", { class: "unloop-plot", "aria-hidden": "true" }); // the label says what it shows
  const chart = element("div", { class: "unloop-chart", role: "img" }, plot);
  const below = element("div");
  let view;
  const show = async () => {
    const result = data.results[menu.value || 0];
    limitLabel.hidden = !result.limit.length;
    finding.textContent = result.finding;
    keys.replaceChildren(legend(result, box.checked));
    chart.setAttribute("aria-label", result.alt);
    const open = below.querySelector("details")?.open;
    below.replaceChildren(figuresTable(result), element("p", { class: "unloop-sign" }, result.signature));
    if (open) below.querySelector("details").open = true;
    scrollable(below);
    view?.finalize();
    view = await vegaEmbed(plot, chartSpec(figure, result, box.checked), { actions: false, renderer: "svg", tooltip: { theme: document.documentElement.dataset.theme } });
  };
  figure.append(finding, controls, keys, chart, below);
  try {
    await show();
    still.hidden = true;
  } catch (error) {
    for (const added of [finding, controls, keys, chart, below]) added.remove(); // the picture stays
    throw error;
  }
  menu.addEventListener("change", show);
  box.addEventListener("change", show);
  new MutationObserver(show).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
}

// A race is drawn when it comes near the visible part of the page, so that a long lesson opens fast.
function drawWhenNear(figures) {
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      drawRace(target);
    }
  }, { rootMargin: "600px" });
  for (const figure of figures) watcher.observe(figure);
}

// What scrolls sideways can be reached with the keyboard.
function scrollable(root) {
  for (const each of root.querySelectorAll("pre, .unloop-card, .unloop-scroll, .pst-scrollable-table-container")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
}

// The theme's triangles in the side bar have no name of their own.
function nameTriangles() {
  for (const summary of document.querySelectorAll(".bd-sidebar-primary summary")) {
    const page = summary.closest("li").querySelector("a").textContent.trim();
    summary.setAttribute("aria-label", `Pages of ${page}`);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  nameTriangles();
  document.querySelectorAll(".unloop-predict").forEach(askPrediction);
  document.querySelectorAll(`.cell[class*="${PREFIX}"]`).forEach(coverCell);
  drawWhenNear(document.querySelectorAll(".unloop-race"));
  scrollable(document);
  addEventListener("resize", () => scrollable(document));
  addEventListener("toggle", (event) => scrollable(event.target), true); // a folded cell that opens
});
