import { attempt, toast } from "./toast.tsx";

/** What was done in a visit and can be taken back, the newest last. */
export type Undos = {
  /**
   * Says what was done, with an "Undo". Call it at once, so that the key takes back what was done last. Returns how to withdraw
   * it, when it was not done after all.
   */
  toast: (text: string, undo: () => unknown) => () => void;
  /** Takes back the newest, also when its toast is gone. Returns false when there is none. */
  undoNewest: () => boolean;
  forget: () => void;
};

/** Each is taken back once: by its toast, or by the key. */
export function createUndos(): Undos {
  const undos: (() => void)[] = [];
  return {
    toast: (text, undo) => {
      const forget = () => {
        const at = undos.indexOf(byKey);
        if (at >= 0) undos.splice(at, 1);
      };
      const once = () => {
        forget();
        return undo();
      };
      const dismiss = toast(text, { undo: once });
      const byKey = () => {
        dismiss();
        attempt(once);
      };
      undos.push(byKey);
      return () => {
        forget();
        dismiss();
      };
    },
    undoNewest: () => {
      const undo = undos.at(-1);
      undo?.();
      return undo !== undefined;
    },
    forget: () => {
      undos.length = 0;
    },
  };
}
