/** @jsxRuntime automatic @jsxImportSource preact */
import { copy } from "../../share/copy.ts";
import { Button } from "../../ui/button.tsx";

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, said }: { text: string; said?: string }) {
  return (
    <Button look="secondary small" run={() => copy(text, said)}>
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
