// Draws the charts of the page and sorts its tables. Everything it needs stands in the page.
(function () {
  "use strict";
  const read = (id) => JSON.parse(document.getElementById(id).textContent);

  function sorted(body, column, down) {
    const key = (row) => {
      const cell = row.cells[column];
      const given = cell.dataset.key;
      return given === undefined ? cell.textContent.trim() : given;
    };
    const rows = Array.from(body.rows, (row) => [key(row), row]);
    const kept = rows.filter(([value]) => value !== "");
    const number = kept.every(([value]) => Number.isFinite(Number(value)));
    rows.sort(([a], [b]) => {
      // What is undefined stays at the end, whichever way the rest is sorted.
      if (a === "" || b === "") return (a === "") - (b === "");
      const order = number ? Number(a) - Number(b) : a.localeCompare(b);
      return down ? -order : order;
    });
    return rows.map(([, row]) => row);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const number = head.classList.contains("number");
        const before = head.getAttribute("aria-sort");
        const down = before ? before === "ascending" : number;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        table.tBodies[0].append(...sorted(table.tBodies[0], column, down));
      });
    });
  }

  const config = read("chart-style");
  const options = {
    actions: false, ast: true, renderer: "svg", config, defaultStyle: false, mode: "vega-lite",
    tooltip: { disableDefaultStyle: true, theme: "page" },
  };
  const drawn = read("charts").map((spec, number) =>
    vegaEmbed(`#chart-${number}`, spec, options).catch((problem) => {
      console.error(`chart ${number}: ${problem}`);
    }));
  Promise.all(drawn).then(() => { document.body.dataset.state = "drawn"; });
})();
