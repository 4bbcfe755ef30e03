/** @jsxRuntime automatic @jsxImportSource preact */
import { Icon } from "./icon.tsx";
import { MenuButton } from "./menu.tsx";
import "./move-handle.css";

type MoveHandleProps = {
  title: string;
  index: number;
  count: number;
  tabIndex?: number;
  /** The pointer takes the handle. */
  onDrag: (event: PointerEvent) => void;
  onMove: (to: number) => void;
};

/** Moves a row of a list: it is dragged, or its menu says where to. */
export function MoveHandle({ title, index, count, tabIndex = 0, onDrag, onMove }: MoveHandleProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its button is for keyboards, the drag is for pointers
    <span
      class="drag-handle"
      onPointerDown={(event) => onDrag(event as unknown as PointerEvent)}
      // A drag of its own, which begins nothing: here the pointer moves the row within the list.
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <MenuButton
        label={`Move ${title}`}
        tabIndex={tabIndex}
        items={() => [
          { name: "Up", action: "moveUp", isDisabled: index === 0, run: () => onMove(index - 1) },
          {
            name: "Down",
            action: "moveDown",
            isDisabled: index === count - 1,
            run: () => onMove(index + 1),
          },
          { name: "To the top", isDisabled: index === 0, run: () => onMove(0) },
          { name: "To the end", isDisabled: index === count - 1, run: () => onMove(count - 1) },
        ]}
      >
        <Icon name="move" />
      </MenuButton>
    </span>
  );
}

/** How a row shows that it is dragged: classes of `move-handle.css`. */
export function dropClass(index: number, drag: { from: number; to: number } | null): string {
  if (!drag) return "";
  if (index === drag.from) return "dragged";
  if (index !== drag.to) return "";
  return drag.to > drag.from ? "drop-after" : "drop-before";
}
