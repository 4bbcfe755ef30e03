/** @jsxRuntime automatic @jsxImportSource preact */
import type { DomainError } from "../../../kernel/errors.ts";
import { Button, Card, Field, Notice } from "../../../pages/components.tsx";
import { Page } from "../../../pages/layout.tsx";
import { MAX_EMAIL, MAX_SUPPLY_NOTE, MAX_WORDS, type SuppliedField } from "../../library/composers/shapes.ts";
import { shareField } from "./form-names.ts";

export { shareField } from "./form-names.ts";

/** Fields of the form beside those about shares. */
export const SUPPLY_FIELDS = ["fullName", "pro", "ipi", "isni", "publisher", "email", "note"];

/** What was typed before a refusal, by the names of fields. */
export type Typed = Readonly<Record<string, string | undefined>>;

const LABELS: readonly { name: SuppliedField; label: string; hint?: string; type?: "email" }[] = [
  { name: "fullName", label: "Name" },
  { name: "pro", label: "PRO", hint: "The society that collects for you, such as GEMA, PRS or ASCAP." },
  { name: "ipi", label: "IPI", hint: "Your number there, up to 11 digits." },
  { name: "isni", label: "ISNI", hint: "16 digits, if you have one." },
  { name: "publisher", label: "Publisher" },
  { name: "email", label: "E-mail", type: "email" },
];

type SupplyProps = {
  root: string;
  library: string;
  action: string;
  composer: Readonly<Record<SuppliedField, string | null>>;
  shares: readonly { trackId: string; title: string; role: string; share: number }[];
  typed?: Typed | undefined;
  error?: DomainError | undefined;
};

/** `/supply/{token}`: one composer's own lines, and the shares that they are asked about. */
export function SupplyPage({ root, library, action, composer, shares, typed, error }: SupplyProps) {
  const title = `Your details for ${library}`;
  const issues = (error?.data?.errors ?? []) as readonly { path: string; detail: string }[];
  const wrong = (name: string) => issues.find(({ path }) => path === name)?.detail;
  return (
    <Page title={title} root={root}>
      <Card
        title={title}
        lead={`${library} asks you to check and complete what it knows of you. Without it, nobody can pay you what your music earns. Nothing changes before ${library} has looked at it.`}
      >
        {error && <Notice kind="error">Please look at the fields that are marked.</Notice>}
        <form class="stack" method="post" action={action}>
          {LABELS.map(({ name, label, ...rest }) => {
            const fault = wrong(name);
            return (
              <Field
                key={name}
                label={label}
                name={name}
                maxLength={name === "email" ? MAX_EMAIL : MAX_WORDS}
                value={typed?.[name] ?? composer[name] ?? ""}
                error={fault && `${label} ${fault}.`}
                {...rest}
              />
            );
          })}
          {shares.map((share, at) => (
            <Share key={`${share.trackId} ${share.role}`} share={share} name={shareField(at)} typed={typed} />
          ))}
          <Field
            label={`Note to ${library} (optional)`}
            name="note"
            rows={3}
            maxLength={MAX_SUPPLY_NOTE}
            value={typed?.note ?? ""}
            error={wrong("note") && `The note ${wrong("note")}.`}
          />
          <Button>Send</Button>
        </form>
      </Card>
    </Page>
  );
}

type ShareProps = { share: SupplyProps["shares"][number]; name: string; typed: Typed | undefined };

function Share({ share: { title, role, share }, name, typed }: ShareProps) {
  const choices = [
    ["yes", "This is right"],
    ["no", "This is not right"],
  ] as const;
  return (
    <fieldset>
      <legend>{`Your share of “${title}” (${role}): ${Number(share.toFixed(2))} %`}</legend>
      {choices.map(([value, label]) => (
        <div class="checkbox" key={value}>
          <input
            type="radio"
            id={`${name}-${value}`}
            name={name}
            value={value}
            checked={typed?.[name] === value}
          />
          <label for={`${name}-${value}`}>{label}</label>
        </div>
      ))}
    </fieldset>
  );
}
