"use strict";
(() => {
  const config = {
    background: null,
    axis: { labelColor: "var(--fg)", titleColor: "var(--fg)", gridColor: "var(--line)", domainColor: "var(--line)", tickColor: "var(--line)" },
    legend: { labelColor: "var(--fg)", titleColor: "var(--fg)" },
    title: { color: "var(--fg)" },
    view: { stroke: "var(--line)" },
  };
  const LABELS = 176, NARROWEST = 280, STEP = 0.25;

  /* What is behind a mark: a panel at the foot of the window. */
  const behind = document.getElementById("behind");
  const lines = behind && behind.querySelector("pre");
  const show = (datum, from) => {
    if (!datum || !datum.text) return;
    const said = datum.lines || [];
    lines.textContent = [datum.lane ? datum.lane + ": " + datum.text : datum.text, ...said].join("\n");
    behind.hidden = false;
    behind.dataset.from = from;
  };
  const hide = () => {
    behind.hidden = true;
  };
  if (behind) {
    behind.querySelector("button").addEventListener("click", hide);
    document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  }

  /* The rows of a picture, as loganalyst.report.packed packs them. */
  const unpack = (data) => {
    const named = (row) => ({
      lane: data.names[row[0]],
      kind: data.names[row[1]],
      at: data.start + row[2],
      until: row[3] === null ? null : data.start + row[2] + row[3],
      text: data.names[row[4]],
      lines: (row[5] || []).map((at) => data.lines[at]),
    });
    return {
      counts: data.counts.map(([at, length, members]) => ({
        at: data.start + at,
        until: data.start + at + length,
        members,
        text: members + (members === 1 ? " member" : " members"),
      })),
      marks: data.marks.map(named),
      owners: data.owners.map(named),
    };
  };

  const whole = (spec) => spec.params.map((param) => param.value);

  class Picture {
    constructor(place) {
      this.place = place;
      this.data = JSON.parse(place.nextElementSibling.textContent);
      this.all = whole(this.data.spec);
      this.drawn = false;
    }

    draw() {
      if (this.drawn) return this.drawn;
      const spec = this.data.spec;
      const width = Math.max(NARROWEST, this.place.clientWidth - LABELS - 24);
      spec.vconcat.forEach((part) => (part.width = width));
      spec.datasets = unpack(this.data);
      this.drawn = window
        .vegaEmbed(this.place, spec, { ast: true, actions: false, renderer: "svg", config, tooltip: { theme: "custom" } })
        .then((result) => {
          this.view = result.view;
          this.view.addEventListener("click", (_event, item) => show(item && item.datum, this.place.id));
          this.interact();
          this.place.dataset.drawn = "yes";
        })
        .catch((error) => {
          this.place.textContent = "The picture could not be drawn: " + error.message;
        });
      return this.drawn;
    }

    get range() {
      return [this.view.signal("from"), this.view.signal("to")];
    }

    zoom(from, to) {
      const [first, last] = this.all;
      const length = Math.min(Math.max(to - from, 1), last - first);
      const start = Math.min(Math.max(from, first), last - length);
      this.view.signal("from", start).signal("to", start + length).run();
      this.place.dataset.from = Math.round(start);
      this.place.dataset.to = Math.round(start + length);
    }

    act(what) {
      const [from, to] = this.range, length = to - from, middle = (from + to) / 2;
      const moves = {
        in: () => this.zoom(middle - length / 4, middle + length / 4),
        out: () => this.zoom(middle - length, middle + length),
        earlier: () => this.zoom(from - length * STEP, to - length * STEP),
        later: () => this.zoom(from + length * STEP, to + length * STEP),
        all: () => this.zoom(...this.all),
      };
      moves[what]();
    }

    interact() {
      const keys = { "+": "in", "=": "in", "-": "out", ArrowLeft: "earlier", ArrowRight: "later", Home: "all", 0: "all" };
      this.place.addEventListener("keydown", (event) => {
        if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        this.act(keys[event.key]);
      });
      this.place.parentElement.querySelectorAll(".zoom button").forEach((button) => {
        button.addEventListener("click", () => this.act(button.dataset.act));
      });
      this.place.addEventListener("dblclick", () => this.act("all"));
      this.drag();
    }

    /* Dragging over the picture zooms into that time. */
    drag() {
      const mask = document.createElement("div");
      mask.className = "mask";
      let start = null, area = null;
      const plot = () => this.place.querySelector("svg .role-scope > g > path.background").getBoundingClientRect();
      const time = (x) => {
        const [from, to] = this.range;
        return from + ((x - area.left) / area.width) * (to - from);
      };
      const inside = (x) => Math.min(Math.max(x, area.left), area.right);
      this.place.addEventListener("pointerdown", (event) => {
        area = plot();
        if (event.button !== 0 || event.clientX < area.left || event.clientX > area.right) return;
        start = event.clientX;
      });
      window.addEventListener("pointermove", (event) => {
        if (start === null || Math.abs(event.clientX - start) < 4) return;
        const box = this.place.getBoundingClientRect();
        const [left, right] = [start, inside(event.clientX)].sort((a, b) => a - b);
        mask.style.left = left - box.left + "px";
        mask.style.width = right - left + "px";
        this.place.append(mask);
      });
      window.addEventListener("pointerup", (event) => {
        if (start === null) return;
        const [a, b] = [time(start), time(inside(event.clientX))].sort((x, y) => x - y);
        const far = mask.isConnected && Math.abs(inside(event.clientX) - start) >= 4;
        start = null;
        mask.remove();
        if (far) this.zoom(a, b);
      });
    }
  }

  /* Pictures are drawn when they come near the window, and all of them before printing. */
  const pictures = [...document.querySelectorAll(".chart")].map((place) => new Picture(place));
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        pictures.find((picture) => picture.place === entry.target).draw();
      }
    },
    { rootMargin: "600px" },
  );
  pictures.forEach((picture) => near.observe(picture.place));

  let opened = [];
  window.addEventListener("beforeprint", () => {
    pictures.forEach((picture) => picture.draw());
    opened = [...document.querySelectorAll("article details:not([open])")];
    opened.forEach((details) => (details.open = true));
  });
  window.addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));

  const key = (row, column) => row.cells[column].dataset.key ?? row.cells[column].textContent;
  const order = (x, y) => {
    if (x === "" || y === "") return x === y ? 0 : x === "" ? 1 : -1;
    const numbers = Number(x) - Number(y);
    return Number.isNaN(numbers) ? x.localeCompare(y) : numbers;
  };

  const sortable = (table) => {
    const body = table.tBodies[0], heads = [...table.querySelectorAll("th")];
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows].sort((a, b) => {
          const x = key(a, column), y = key(b, column);
          return x === "" || y === "" ? order(x, y) : down ? order(y, x) : order(x, y);
        });
        body.append(...rows);
      });
    });
    const filter = document.getElementById(table.dataset.filter);
    const told = filter.closest(".filter").querySelector("[role=status]");
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of body.rows) {
        const text = [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      told.textContent = words.length ? shown.toLocaleString("en") + " of " + body.rows.length.toLocaleString("en") + " rows" : "";
    });
  };
  document.querySelectorAll("table[data-filter]").forEach(sortable);
})();
