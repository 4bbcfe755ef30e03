/** @jsxRuntime automatic @jsxImportSource preact */
import { copyText } from "../../share/copy.ts";
import { toast } from "../../ui/toast.tsx";

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, said = "Copied" }: { text: string; said?: string }) {
  const copy = async () => {
    if (await copyText(text)) toast(said);
    else toast("The browser did not allow copying", { kind: "alert" });
  };
  return (
    <button type="button" class="button secondary small" onClick={() => void copy()}>
      Copy
    </button>
  );
}

/** A text to copy as it is. */
export function CodeToCopy({ text }: { text: string }) {
  return (
    <div class="code-to-copy">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
