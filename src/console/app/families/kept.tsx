/** @jsxRuntime automatic @jsxImportSource preact */
import { can } from "../api/library.ts";
import { type AnswerOf, query, useQuery } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { counted } from "../ui/numbers.ts";
import { toast } from "../ui/toast.tsx";
import { FIRST_QUESTION, takeOut } from "./questions.ts";
import { asWords } from "./words.ts";
import "./families.css";

type Kept = AnswerOf<"/app/families/kept">["data"][number];

const MAX_SHOWN = 50;
const KEPT = query("/app/families/kept", { query: { limit: MAX_SHOWN } }, { tracks: "all", analysis: "all" });

/** What joined sets by itself; each line can be undone. Shows nothing until there is some. */
export function KeptTracks() {
  const kept = useQuery(KEPT).data?.data ?? [];
  const total = useQuery(FIRST_QUESTION).data?.total ?? 0;
  if (kept.length === 0 && total === 0) return null;
  return (
    <section class="waiting-files" aria-labelledby="kept-heading">
      <h2 id="kept-heading">Sets</h2>
      {total > 0 && (
        <p>
          <a href={href("/library/families")}>{counted(total, "file")} may belong together</a>
        </p>
      )}
      <ul aria-labelledby="kept-heading" hidden={kept.length === 0}>
        {kept.map((track) => (
          <KeptLine key={track.id} track={track} />
        ))}
      </ul>
    </section>
  );
}

/** A track that joined a set by itself: "Kept with “Night Drive” as its instrumental." */
function KeptLine({ track }: { track: Kept }) {
  const { id, title, mainId, mainTitle, hiddenFromLinks } = track;
  const undo = async () => {
    await takeOut(id);
    toast(`“${title}” is kept apart from “${mainTitle}”.`);
  };
  return (
    <li class="tray-line" aria-label={title}>
      <a class="mix-title" href={href(`/library/tracks/${id}`)}>
        {title}
      </a>
      <p class="tray-offer">
        Kept with <a href={href(`/library/tracks/${mainId}`)}>“{mainTitle}”</a> as its {asWords(track)}.
        {hiddenFromLinks && " Links to the set do not show it."}
      </p>
      {can("update:tracks") && (
        <Button look="small secondary" label={`Undo: ${title}`} run={undo}>
          Undo
        </Button>
      )}
    </li>
  );
}
