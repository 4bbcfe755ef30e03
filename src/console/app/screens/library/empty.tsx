/** @jsxRuntime automatic @jsxImportSource preact */
import { can } from "../../api/library.ts";
import { go, listPlace, setListSearch } from "../../router.ts";
import { AddDemoButton } from "../../start/demo.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ChooseButtons } from "../../uploads/choose.tsx";
import { NO_FILTERS } from "./filters.ts";

/** A library without a track. */
export function EmptyLibrary() {
  if (!can("create:tracks")) return <Empty heading="There is no music here yet" />;
  return (
    <Empty heading="Drop your music here">
      <p class="soft">
        Files or whole folders, anywhere in this window. They are analysed while you carry on.
      </p>
      <div class="buttons">
        <ChooseButtons />
        <AddDemoButton />
      </div>
    </Empty>
  );
}

/** Tracks, but none that the filters leave. */
export function NothingFound() {
  const q = listPlace.value.search.get("q") ?? "";
  return (
    <Empty heading="No track fits these filters">
      <div class="buttons">
        <Button run={() => setListSearch(NO_FILTERS)}>Clear filters</Button>
        <Button
          look="secondary"
          run={() => go(`/library/search${q === "" ? "" : `?${new URLSearchParams({ q })}`}`)}
        >
          Search by description instead
        </Button>
      </div>
    </Empty>
  );
}
