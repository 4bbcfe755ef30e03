/** @jsxRuntime automatic @jsxImportSource preact */
// biome-ignore-all lint/a11y/useSemanticElements: a box that cannot be ticked by hand is not an <input>
// biome-ignore-all lint/a11y/useFocusableInteractive: as above

import { api, dataOf } from "../api/client.ts";
import { can } from "../api/library.ts";
import { optimistically, query, queryClient, useQuery } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { go } from "../router.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import "./first-steps.css";

/** Which of the first steps are done. Searches make no live event: see {@link searchedFirst}. */
export const stepsQuery = query("/app/first-steps", {}, { tracks: "all", analysis: "all", shares: "all" });

type Steps = Awaited<ReturnType<typeof stepsQuery.queryFn>>["data"];

const STEPS = [
  { name: "Add music", fact: "music", how: "Your own files, or three demo tracks." },
  {
    name: "Get it analysed",
    fact: "analysed",
    how: "Tempo, key, loudness and tags fill in by themselves. You can carry on in the meantime.",
  },
  { name: "Find something", fact: "searched", how: "Describe what you are looking for" },
  {
    name: "Share it",
    fact: "shared",
    how: "Choose “Share” on a track. Each person gets their own link, so you see who listened.",
  },
] as const;

/** The first steps of a new owner, with ticks, until all are done or they are put away. */
export function FirstStepsAbove() {
  const steps = useQuery(stepsQuery).data?.data;
  if (!can("manage:library") || !steps || steps.dismissed || isDone(steps)) return null;
  return <FirstSteps steps={steps} />;
}

/** True when nothing is left to do. */
export const isDone = (steps: Steps): boolean => STEPS.every(({ fact }) => steps[fact]);

/** The list itself; the step that comes next says how. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const next = STEPS.find(({ fact }) => !steps[fact]);
  return (
    <section class="first-steps" aria-label="First steps">
      <ul>
        {STEPS.map(({ name, fact, how }) => (
          <li key={fact} aria-label={name} class={fact === next?.fact ? "is-next" : ""}>
            <span
              class="first-step-tick"
              role="checkbox"
              aria-checked={steps[fact]}
              aria-readonly="true"
              aria-disabled="true"
              aria-label={name}
            >
              {steps[fact] && <Icon name="check" />}
            </span>
            <span class="first-step-words">
              <b>{name}</b>
              {fact === next?.fact && <span class="soft">{how}</span>}
              {fact === "searched" && fact === next?.fact && <Briefs briefs={steps.briefs} />}
            </span>
          </li>
        ))}
      </ul>
      {!steps.dismissed && (
        <IconButton
          label="Dismiss first steps"
          icon="close"
          title="Dismiss first steps"
          run={() => dismiss(true)}
        />
      )}
    </section>
  );
}

/** Briefs made of the library's own tags; a press searches. */
function Briefs({ briefs }: { briefs: readonly string[] }) {
  return (
    <span class="first-step-briefs">
      {briefs.map((brief) => (
        <a key={brief} class="chip" href={href(`/library/search?${new URLSearchParams({ q: brief })}`)}>
          {brief}
        </a>
      ))}
      {briefs.length === 0 && (
        <Button look="quiet small" run={() => go("/library/search")}>
          Search
        </Button>
      )}
    </span>
  );
}

/** Puts the list away, or has it shown above the Library again. */
export async function dismiss(dismissed: boolean): Promise<void> {
  await optimistically(
    stepsQuery,
    (answer) => ({ ...answer, data: { ...answer.data, dismissed } }),
    () => dataOf(api.PATCH("/app/first-steps", { body: { dismissed } })),
  );
}

/** Ticks "Find something", once a search was made. */
export function searchedFirst(): void {
  void queryClient.invalidateQueries({ queryKey: stepsQuery.queryKey });
}
