/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sentenceOf } from "../api/errors.ts";
import { Icon } from "./icon.tsx";
import { grouped } from "./numbers.ts";

/** What a toast says beside its text. */
export type ToastOptions = {
  /** `alert` for what went wrong: it stays until it is dismissed. */
  kind?: "status" | "alert";
  /** Undoes the action: the toast gets an "Undo". */
  undo?: () => unknown;
  /** What else can be done about it. */
  action?: { name: string; run: () => unknown };
  /** How long it shows, where 8 s is not right. */
  shownMs?: number;
  /** What goes on: how far it is, and how to stop it. It shows until it is taken away. */
  progress?: { done: Signal<number>; total: number; stop: () => void };
};

type Toast = ToastOptions & { id: number; text: string };

const SHOWN_MS = 8000;
const MAX_TOASTS = 3;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Says what happened, below the screen. Returns how to take it away. */
export function toast(text: string, options: ToastOptions = {}): () => void {
  const made = { ...options, text, id: ++lastId };
  toasts.value = [...toasts.value, made].slice(-MAX_TOASTS);
  return () => dismiss(made);
}

/** Says in words what went wrong. */
export function toastError(error: unknown): void {
  toast(sentenceOf(error), { kind: "alert" });
}

/** Does what a person asked for, and says in words when it is refused. */
export function attempt(run: () => unknown): void {
  const result = run();
  if (result instanceof Promise) result.catch(toastError);
}

/** Runs the newest "Undo". Returns false when there is nothing to undo. */
export function undoLast(): boolean {
  const last = toasts.value.findLast(({ undo }) => undo);
  if (last) runUndo(last);
  return last !== undefined;
}

function dismiss({ id }: Toast): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

function runUndo(undone: Toast): void {
  dismiss(undone);
  if (undone.undo) attempt(undone.undo);
}

/** Every toast that shows. */
export function Toasts() {
  return (
    <div class="toasts">
      {toasts.value.map((each) => (
        <ToastView key={each.id} toast={each} />
      ))}
    </div>
  );
}

const SWEPT_PX = 64;

/** Lets a finger push something aside, which goes when it is let go far enough. */
function useSweep(onSwept: () => void) {
  const from = useRef<number | undefined>(undefined);
  const move = ({ clientX }: PointerEvent) => (from.current === undefined ? 0 : clientX - from.current);
  return {
    onPointerDown: ({ pointerType, clientX }: PointerEvent) => {
      from.current = pointerType === "touch" ? clientX : undefined;
    },
    onPointerMove: (event: PointerEvent & { currentTarget: HTMLElement }) => {
      if (from.current !== undefined) event.currentTarget.style.translate = `${move(event)}px`;
    },
    onPointerUp: (event: PointerEvent & { currentTarget: HTMLElement }) => {
      if (Math.abs(move(event)) >= SWEPT_PX) onSwept();
      event.currentTarget.style.translate = "";
      from.current = undefined;
    },
    onPointerCancel: ({ currentTarget }: PointerEvent & { currentTarget: HTMLElement }) => {
      currentTarget.style.translate = "";
      from.current = undefined;
    },
  };
}

function ToastView({ toast: shown }: { toast: Toast }) {
  const { kind = "status", text, undo, action, progress, shownMs = SHOWN_MS } = shown;
  // Screen readers hear of text that changes in a status, not of a status that comes with its text.
  const said = useSignal("");
  const isHeld = useRef(false);
  useEffect(() => {
    said.value = text;
    if (kind === "alert" || progress) return;
    const timer = setInterval(() => isHeld.current || dismiss(shown), shownMs);
    return () => clearInterval(timer);
  }, [shown, kind, said, text, shownMs, progress]);
  const hold = (isOn: boolean) => () => {
    isHeld.current = isOn;
  };
  const sweep = useSweep(() => progress || dismiss(shown));
  return (
    <div
      class={`toast toast-${kind}`}
      role={kind}
      {...sweep}
      onPointerEnter={hold(true)}
      onPointerLeave={hold(false)}
      onFocusIn={hold(true)}
      onFocusOut={hold(false)}
    >
      <span class="toast-text">{said}</span>
      {progress && <Progress {...progress} label={text} />}
      {undo && (
        <button type="button" class="toast-undo" onClick={() => runUndo(shown)}>
          Undo
        </button>
      )}
      {action && (
        <button
          type="button"
          class="toast-undo"
          onClick={() => {
            dismiss(shown);
            attempt(action.run);
          }}
        >
          {action.name}
        </button>
      )}
      {!progress && (
        <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(shown)}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function Progress({ done, total, stop, label }: NonNullable<ToastOptions["progress"]> & { label: string }) {
  return (
    <>
      <progress aria-label={label} max={total} value={done.value} />
      <span class="toast-count">
        {grouped(done.value)} of {grouped(total)}
      </span>
      <button type="button" class="toast-undo" onClick={stop}>
        Stop
      </button>
    </>
  );
}
