/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sizeText } from "../../../pages/size.ts";
import { canAddTracks } from "../api/library.ts";
import { root } from "../first-data.ts";
import { dropShared, readShared, type SharedRow } from "../pocket/shared.ts";
import { place, setSearch } from "../router.ts";
import { Button } from "../ui/button.tsx";
import { addUploads } from "./queue.ts";

/** What became of a share, by what the address says. */
const WORDS: Readonly<Record<string, string>> = {
  lost: "The shared files did not arrive. Open Dubplate once, then share again.",
  full: "There was no room for the shared files. Free space on the device, then share again.",
};

/** The files that another app shared with this one. Nothing is sent before somebody says so: any page could have shared them. */
export function SharedFiles() {
  const rows = useSignal<readonly SharedRow[]>([]);
  const outcome = place.value.search.get("shared");
  useEffect(() => {
    void readShared(root).then((found) => {
      rows.value = found;
    });
  }, [outcome, rows]);
  const said = WORDS[outcome ?? ""];
  if (said !== undefined) return <p class="shared-files">{said}</p>;
  if (rows.value.length === 0) return null;
  const finish = async () => {
    await dropShared(rows.peek());
    rows.value = [];
    setSearch({ shared: undefined });
  };
  const add = async () => {
    addUploads(rows.peek().map(({ file }) => ({ file, path: file.name, isOnlyHere: true })));
    await finish();
  };
  return (
    <section class="shared-files" aria-labelledby="shared-heading">
      <h2 id="shared-heading">Shared with Dubplate</h2>
      <ul aria-labelledby="shared-heading">
        {rows.value.map(({ key, file }) => (
          <li key={key}>
            {file.name} <span class="soft">{sizeText(file.size)}</span>
          </li>
        ))}
      </ul>
      <div class="choose">
        {canAddTracks() && <Button run={add}>Add to the library</Button>}
        <Button look="secondary" run={finish}>
          Discard
        </Button>
      </div>
    </section>
  );
}
