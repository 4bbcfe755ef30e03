/** @jsxRuntime automatic @jsxImportSource preact */
import { copyText } from "../../share/copy.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, said = "Copied" }: { text: string; said?: string }) {
  const copy = async () => {
    if (await copyText(text)) toast(said);
    else toast("The browser did not allow copying", { kind: "alert" });
  };
  return (
    <Button look="secondary small" run={copy}>
      Copy
    </Button>
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
