/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { setSearch } from "../router.ts";
import { Button } from "./button.tsx";

type OlderProps = { cursor: string | null | undefined; children: ComponentChildren };

/** The way to the next page of a list whose page is in the address; none on the last. */
export function Older({ cursor, children }: OlderProps) {
  if (!cursor) return null;
  return (
    <div>
      <Button look="secondary" run={() => setSearch({ cursor })}>
        {children}
      </Button>
    </div>
  );
}
