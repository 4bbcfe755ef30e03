/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isAllowed, type Offered } from "../api/library.ts";
import { ACTIONS, type ActionId, keyParts } from "./actions.ts";
import { Icon } from "./icon.tsx";
import { attempt } from "./toast.tsx";

/** What can be chosen in a menu. */
type Entry = Offered & {
  name: string;
  /** Its key is shown beside the name. */
  action?: ActionId;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Of one that is on or off, or is one of several: whether it is on. */
  isOn?: boolean;
  run: () => unknown;
};
/** Several of which one is on, under a name. */
type Group = { group: string; items: readonly Entry[] };
/** A part of a menu; null draws a line. Entries that the role does not allow are left out. */
export type MenuItem = Entry | Group | null;

type Open = { anchor: HTMLElement; label: string; items: readonly MenuItem[] };

const open = signal<Open | null>(null);
/** A press on the button of an open menu first closes the menu, as a press anywhere does. */
const JUST_MS = 300;
let closed: { anchor: HTMLElement; at: number } | undefined;

/** Opens a menu at a button, which should have `aria-haspopup="menu"`. A second call with the same button closes it. */
export function toggleMenu(anchor: HTMLElement, label: string, items: readonly MenuItem[]): void {
  if (closed?.anchor === anchor && performance.now() - closed.at < JUST_MS) return;
  closeMenu();
  anchor.style.setProperty("anchor-name", "--menu-button");
  anchor.setAttribute("aria-expanded", "true");
  open.value = { anchor, label, items: offered(items) };
}

/** What the role allows, without lines that nothing is above or below. */
function offered(items: readonly MenuItem[]): MenuItem[] {
  const allowed = items.filter((item) => item === null || "group" in item || isAllowed(item));
  const isLine = (at: number) => allowed[at] === null;
  return allowed.filter(
    (item, at) => item !== null || (at > 0 && at < allowed.length - 1 && !isLine(at + 1)),
  );
}

function closeMenu(): void {
  if (!open.value) return;
  const { anchor } = open.value;
  anchor.style.removeProperty("anchor-name");
  anchor.setAttribute("aria-expanded", "false");
  open.value = null;
}

/** The browser closed it, because the person pressed elsewhere. */
function closedBy(event: ToggleEvent, anchor: HTMLElement): void {
  if (event.newState !== "closed" || open.value?.anchor !== anchor) return;
  closed = { anchor, at: event.timeStamp };
  closeMenu();
}

/** The menu that is open. On telephones it comes from below. */
export function OpenMenu() {
  return open.value ? <MenuPopup key={open.value.label} {...open.value} /> : null;
}

function MenuPopup({ anchor, label, items }: Open) {
  const box = useRef<HTMLDivElement>(null);
  const entries = () => [
    ...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? []),
  ];
  useLayoutEffect(() => {
    box.current?.showPopover();
    entries()[0]?.focus();
  }, []);
  const leave = () => {
    closeMenu();
    anchor.focus({ preventScroll: true });
  };
  const move = (by: number | "first" | "last") => {
    const all = entries();
    const now = all.indexOf(document.activeElement as HTMLElement);
    const to = by === "first" ? 0 : by === "last" ? all.length - 1 : (now + by + all.length) % all.length;
    all[to]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Home: () => move("first"),
      End: () => move("last"),
      Escape: leave,
      Tab: leave,
    };
    const step =
      steps[event.key] ?? (event.key.length === 1 ? () => moveTo(entries(), event.key) : undefined);
    if (!step || event.key === " ") return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };
  return (
    <div
      ref={box}
      class="menu"
      role="menu"
      aria-label={label}
      popover="auto"
      onKeyDown={onKeyDown}
      onToggle={(event) => closedBy(event as unknown as ToggleEvent, anchor)}
    >
      {items.map((item, index) =>
        item === null ? (
          <hr key={index} />
        ) : "group" in item ? (
          // biome-ignore lint/a11y/useSemanticElements: a menu has no fieldsets
          <div key={item.group} role="group" aria-label={item.group}>
            <span class="menu-group" aria-hidden="true">
              {item.group}
            </span>
            {item.items.map((each) => (
              <Choice key={each.name} entry={each} role="menuitemradio" leave={leave} />
            ))}
          </div>
        ) : (
          <Choice
            key={item.name}
            entry={item}
            role={item.isOn === undefined ? "menuitem" : "menuitemcheckbox"}
            leave={leave}
          />
        ),
      )}
    </div>
  );
}

type ChoiceProps = {
  entry: Entry;
  role: "menuitem" | "menuitemradio" | "menuitemcheckbox";
  leave: () => void;
};

function Choice({ entry, role, leave }: ChoiceProps) {
  const { name, action, isDanger, isDisabled = false, isOn, run } = entry;
  return (
    <button
      type="button"
      role={role}
      {...(isOn !== undefined && { "aria-checked": isOn })}
      tabIndex={-1}
      class={isDanger ? "menu-item danger" : "menu-item"}
      disabled={isDisabled}
      onClick={() => {
        leave();
        attempt(run);
      }}
    >
      <span>{name}</span>
      {isOn && <Icon name="check" />}
      {action && (
        <span class="menu-key" aria-hidden="true">
          {keyParts(ACTIONS[action].keys[0]).join(" ")}
        </span>
      )}
    </button>
  );
}

/** The next entry that begins with a letter. */
function moveTo(all: readonly HTMLElement[], letter: string): void {
  const now = all.indexOf(document.activeElement as HTMLElement);
  const others = [...all.slice(now + 1), ...all.slice(0, now + 1)];
  others.find(({ textContent }) => textContent?.toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}

type MenuButtonProps = {
  /** Accessible name of button and menu. */
  label: string;
  items: () => readonly MenuItem[];
  class?: string;
  tabIndex?: number;
  /** Left out: the three dots of "more". */
  children?: preact.ComponentChildren;
};

/** A button that opens a menu. */
export function MenuButton({
  label,
  items,
  class: className = "icon-button",
  tabIndex,
  children = <Icon name="more" />,
}: MenuButtonProps) {
  return (
    <button
      type="button"
      class={className}
      aria-label={label}
      aria-haspopup="menu"
      {...(tabIndex !== undefined && { tabIndex })}
      onClick={({ currentTarget }) => {
        // Not every press brings the focus, and a list keeps the row that had it: the menu stays at its button.
        currentTarget.focus({ preventScroll: true });
        toggleMenu(currentTarget, label, items());
      }}
    >
      {children}
    </button>
  );
}
