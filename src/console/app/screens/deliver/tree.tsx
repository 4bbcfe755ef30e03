/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Node, shownOf, sizeText } from "./tree.ts";

type TreeProps = {
  label: string;
  roots: readonly Node[];
  current: string | undefined;
  onChoose: (path: string) => void;
};

/** Files in folders. One of them has the focus; arrows move it, open and close. */
export function Tree({ label, roots, current, onChoose }: TreeProps) {
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const focused = useSignal<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const shown = shownOf(roots, closed.value);
  const at = Math.max(
    0,
    shown.findIndex(({ path }) => path === (focused.value ?? current)),
  );
  useEffect(() => {
    if (list.current?.contains(document.activeElement))
      list.current.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focused.value]);
  const toggle = ({ path }: Node, isOpen: boolean) => {
    const next = new Set(closed.value);
    if (isOpen) next.delete(path);
    else next.add(path);
    closed.value = next;
  };
  const choose = (node: Node) => {
    focused.value = node.path;
    if (node.children) toggle(node, closed.value.has(node.path));
    else onChoose(node.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const node = shown[at];
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = node.children !== undefined && !closed.value.has(node.path);
    const move = (to: number) => {
      focused.value = shown[Math.min(shown.length - 1, Math.max(0, to))]?.path;
    };
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(shown.length - 1),
      ArrowRight: () => (node.children && !isOpen ? toggle(node, true) : move(at + (isOpen ? 1 : 0))),
      ArrowLeft: () =>
        isOpen
          ? toggle(node, false)
          : move(shown.findLastIndex(({ level }, i) => i < at && level < node.level)),
      Enter: () => choose(node),
      " ": () => choose(node),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  return (
    <div class="deliver-tree" role="tree" aria-label={label} ref={list}>
      {shown.map((node, index) => (
        <div
          key={node.path}
          role="treeitem"
          class="deliver-node"
          style={{ "--level": String(node.level) }}
          tabIndex={index === at ? 0 : -1}
          aria-level={node.level}
          aria-selected={node.path === current}
          {...(node.children && { "aria-expanded": !closed.value.has(node.path) })}
          onClick={() => choose(node)}
          onKeyDown={onKeyDown}
        >
          <span class="deliver-node-name">{node.name}</span>{" "}
          <span class="soft">{sizeText(node.sizeBytes)}</span>
        </div>
      ))}
    </div>
  );
}
