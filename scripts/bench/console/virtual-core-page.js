import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";

const box = document.querySelector('[role="grid"]');
const body = box.firstElementChild;
const draw = () => {
  body.style.height = `${virtualizer.getTotalSize()}px`;
  body.replaceChildren(
    ...virtualizer.getVirtualItems().map(({ index, start }) => {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      row.style.transform = `translateY(${start}px)`;
      for (const text of [`Piece number ${index}`, `Artist ${index % 97}`, "v1", "120", "A minor", "3:20"]) {
        const cell = document.createElement("span");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }),
  );
};
const virtualizer = new Virtualizer({
  count: Number(document.body.dataset.rows),
  estimateSize: () => 48,
  overscan: 6,
  getScrollElement: () => box,
  scrollToFn: elementScroll,
  observeElementRect,
  observeElementOffset,
  onChange: draw,
});
virtualizer._didMount();
virtualizer._willUpdate();
draw();
