/** @jsxRuntime automatic @jsxImportSource preact */
import { can } from "../api/library.ts";
import { useQuery } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { Button } from "../ui/button.tsx";
import { showDialog } from "../ui/dialog.tsx";
import { askedIn, type Question, questionsOf, sayNo, sayYes } from "./questions.ts";
import "./families.css";

/** Asks which song a track is of, in place of the one that was proposed. */
async function chooseOther(question: Question): Promise<void> {
  const { ChooseSong } = await import("./choose-song.tsx");
  showDialog((close) => <ChooseSong question={question} onClose={close} />);
}

/** The answers to a question: their names say of which track where several are asked about. */
export function Answers({ question }: { question: Question }) {
  if (!can("update:tracks")) return null;
  return (
    <span class="family-answers">
      <Button look="small" run={() => sayYes(question)}>
        Yes
      </Button>
      <Button look="small secondary" run={() => sayNo(question)}>
        No
      </Button>
      <Button look="small quiet" run={() => chooseOther(question)}>
        Choose another song…
      </Button>
    </span>
  );
}

/** On a track's sheet: what may belong together with it. */
export function TrackQuestions({ trackId }: { trackId: string }) {
  const { data } = useQuery(questionsOf(trackId));
  const questions = data?.data ?? [];
  if (questions.length === 0) return null;
  const [asked, total] = [questions.filter(({ id }) => id === trackId), questions.length];
  const [first] = asked;
  const others = total - (first ? 1 : 0);
  return (
    <section class="family-question" aria-label="Set">
      {first && (
        <p>
          {askedIn(first)} <Answers question={first} />
        </p>
      )}
      {others > 0 && (
        <p class="soft">
          <a href={href("/library/families")}>
            {first ? `${others} more may belong together` : `${others} may belong to this song`}
          </a>
        </p>
      )}
    </section>
  );
}
