// Adds a search box to every table that can be searched. Without scripts, the tables are shown whole.
for (const tools of document.querySelectorAll("[data-search]")) {
  const rows = [...document.querySelectorAll(`#${tools.dataset.search} tbody tr`)];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("span");
  input.type = "search";
  count.setAttribute("role", "status");
  count.className = "soft";
  label.append("Search", input);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      found += !row.hidden;
    });
    count.textContent = words.length ? `${found} of ${rows.length} rows` : "";
  });
  tools.prepend(label, count);
}
// A table that is wider than the page scrolls in its own box, which the keyboard must be able to reach.
for (const box of document.querySelectorAll(".scroll:not([tabindex])")) box.tabIndex = 0;
