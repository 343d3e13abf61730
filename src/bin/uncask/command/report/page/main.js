"use strict";
// Puts the parts together.

loadData().then((data) => {
  showTotals(data);
  let map = null;
  const table = makeTable(data, (folder) => map.zoom(folder));
  map = makeTreemap(data, table.setFolder);
  showCharts(data, table);
  if (data.gallery) showGallery(data.gallery);
  document.getElementById("subtitle").textContent =
    `${size(data.total.stored)} in ${counted(data.total.count, "entry", "entries")}`;
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}).catch((error) => {
  document.getElementById("subtitle").textContent = `This page cannot be shown: ${error.message}`;
  throw error;
});
