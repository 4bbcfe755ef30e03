/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { ApiError } from "../../api/errors.ts";
import { can } from "../../api/library.ts";
import { readEnds, writeEnds } from "../../share/ends.ts";
import { Field, Switch } from "../../ui/field.tsx";
import { typed, type Wrong } from "../../ui/use-form.ts";
import { GIVEN_ROLES, type GivenRole, ROLE_WORDS, seesEverything } from "./roles.ts";
import type { Member } from "./team-queries.ts";

/** As what somebody is in the library, what else they see, and until when. */
export type Terms = {
  role: Signal<GivenRole>;
  seesSplits: Signal<boolean>;
  /** Undefined: as is usual for the role. */
  seesListening: Signal<boolean | undefined>;
  until: Signal<string>;
};

/** @param member Whose terms are changed; left out: somebody new. */
export function useTerms(member?: Member): Terms {
  return {
    role: useSignal<GivenRole>(member && member.role !== "owner" ? member.role : "producer"),
    seesSplits: useSignal(member?.seesSplits ?? false),
    seesListening: useSignal<boolean | undefined>(member?.seesListening),
    until: useSignal(member?.until ? writeEnds(member.until) : ""),
  };
}

/** Who listened concerns those who send the links. */
const seesListeningAs = ({ role, seesListening }: Terms): boolean =>
  seesListening.value ?? role.value === "producer";

/** Returns the terms as the server takes them. @throws ApiError for a day that cannot be read. */
export function bodyOf(terms: Terms) {
  const until = readEnds(terms.until.value);
  if (until === undefined)
    throw new ApiError(400, "validation_failed", "Invalid request", [
      { path: "until", code: "format", detail: "must be a future day" },
    ]);
  return {
    role: terms.role.value,
    seesSplits: terms.seesSplits.value,
    seesListening: seesListeningAs(terms),
    until,
  };
}

/** The fields of {@link Terms}. Only the owner appoints managers. */
export function TermsFields({ terms, wrong }: { terms: Terms; wrong: Wrong }) {
  const { role, seesSplits, seesListening, until } = terms;
  return (
    <>
      <RoleChoice role={role} />
      {!seesEverything(role.value) && (
        <div class="team-switches">
          <Switch
            label="Sees splits"
            isOn={seesSplits.value}
            onChange={(isOn) => {
              seesSplits.value = isOn;
            }}
          />
          <Switch
            label="Sees who listened"
            isOn={seesListeningAs(terms)}
            onChange={(isOn) => {
              seesListening.value = isOn;
            }}
          />
        </div>
      )}
      <Field
        label="Until"
        hint="A day such as 24 December 2027. Leave it empty for no end."
        error={wrong.until}
        {...typed(until)}
      />
    </>
  );
}

function RoleChoice({ role }: { role: Signal<GivenRole> }) {
  const id = useId();
  const offered = GIVEN_ROLES.filter((each) => each !== "manager" || can("own:library"));
  return (
    <div class="team-roles" role="radiogroup" aria-labelledby={`${id}-role`}>
      <span class="team-roles-name" id={`${id}-role`}>
        Role
      </span>
      {offered.map((each) => {
        const { name, sentence } = ROLE_WORDS[each];
        return (
          <label key={each} class="team-role">
            <input
              type="radio"
              name={id}
              checked={role.value === each}
              aria-labelledby={`${id}-${each}`}
              aria-describedby={`${id}-${each}-sentence`}
              onChange={() => {
                role.value = each;
              }}
            />
            <span id={`${id}-${each}`}>{name}</span>
            <span id={`${id}-${each}-sentence`} class="field-hint">
              {sentence}
            </span>
          </label>
        );
      })}
    </div>
  );
}
