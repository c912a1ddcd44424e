"use strict";
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const behind = document.getElementById("behind");

  const theme = () => {
    const ink = dark.matches ? "#e4e8ec" : "#1d2329", grid = dark.matches ? "#353c44" : "#e3e7eb";
    return {
      background: "transparent",
      axis: { labelColor: ink, titleColor: ink, gridColor: grid, domainColor: grid, tickColor: grid },
      legend: { labelColor: ink, titleColor: ink },
      title: { color: ink },
      view: { stroke: grid },
    };
  };

  const show = (datum) => {
    if (!datum || !datum.text) return;
    behind.hidden = false;
    behind.textContent = [datum.lane + ": " + datum.text, ...(datum.evidence || [])].join("\n");
  };

  const draw = () => {
    document.querySelectorAll(".chart").forEach((place) => {
      const spec = JSON.parse(place.nextElementSibling.textContent);
      window
        .vegaEmbed(place, spec, { ast: true, actions: false, renderer: "svg", config: theme(), tooltip: { theme: dark.matches ? "dark" : "light" } })
        .then((result) => {
          result.view.addEventListener("click", (_event, item) => show(item && item.datum));
          place.dataset.drawn = "yes";
        })
        .catch((error) => {
          place.textContent = "The picture could not be drawn: " + error.message;
        });
    });
  };

  const sortable = (table) => {
    const body = table.tBodies[0];
    table.querySelectorAll("th").forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
        const rows = [...body.rows].sort((a, b) => {
          const x = key(a), y = key(b), numbers = Number(x) - Number(y);
          const order = x === "" ? 1 : y === "" ? -1 : Number.isNaN(numbers) ? x.localeCompare(y) : numbers;
          return down ? -order : order;
        });
        body.append(...rows);
      });
    });
    const filter = document.getElementById(table.dataset.filter);
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/);
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
  };

  document.querySelectorAll("table[data-filter]").forEach(sortable);
  dark.addEventListener("change", draw);
  draw();
})();
