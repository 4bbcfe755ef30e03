/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { canOpen } from "../../api/needs.ts";
import { query, useQuery } from "../../api/queries.ts";
import { href, sendsMail } from "../../first-data.ts";
import { place } from "../../router.ts";
import { Refusal } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { useForm, type Wrong } from "../../ui/use-form.ts";
import "./settings.css";

const PARTS = [
  { name: "Profile", path: "/library/settings/profile" },
  { name: "Brand", path: "/library/settings/brand" },
  { name: "Registrations", path: "/library/settings/registrations" },
  { name: "Checks", path: "/library/settings/checks" },
  { name: "Team", path: "/library/settings/team" },
  { name: "Security", path: "/library/settings/security" },
  ...(sendsMail ? [{ name: "E-mail", path: "/library/settings/mail" }] : []),
  { name: "Devices", path: "/library/settings/devices" },
  { name: "API keys", path: "/library/settings/keys" },
  { name: "Assistants", path: "/library/settings/assistants" },
  { name: "Webhooks", path: "/library/settings/webhooks" },
];
/** For the operator's account alone. */
const SERVER = { name: "Server", path: "/library/settings/server" };

/** A screen of the settings, with the way to the others. */
export function SettingsFrame({ heading, children }: { heading: string; children: ComponentChildren }) {
  const { data } = useQuery(query("/app/account", {}, {}));
  const own = PARTS.filter(({ path }) => canOpen(path));
  const parts = data?.data.isOperator ? [...own, SERVER] : own;
  return (
    <Screen heading={heading}>
      <div class="settings">
        <nav class="settings-nav" aria-label="Settings">
          <ul>
            {parts.map(({ name, path }) => (
              <li key={path}>
                <a href={href(path)} {...(place.value.path === path && { "aria-current": "page" as const })}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="settings-parts">{children}</div>
      </div>
    </Screen>
  );
}

/** A part of a settings screen, under a heading. */
export function Part({
  heading,
  note,
  tools,
  children,
}: {
  heading: string;
  note?: ComponentChildren;
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="settings-part">
      <header class="settings-part-head">
        <h2>{heading}</h2>
        {tools}
      </header>
      {note !== undefined && <p class="soft settings-note">{note}</p>}
      {children}
    </section>
  );
}

type FormProps = {
  /** The verb on its button. */
  verb?: string;
  /** Sends the form. A refusal is shown beside its field, or above the button. @throws ApiError */
  send: () => unknown;
  children: (wrong: Wrong) => ComponentChildren;
};

/** A form of a settings screen. */
export function SettingsForm({ verb = "Save", send, children }: FormProps) {
  const { wrong, problem, isSending, submit } = useForm(send);
  return (
    <form class="form settings-form" noValidate onSubmit={(event) => void submit(event)}>
      {children(wrong)}
      <Refusal sentence={problem} />
      <div>
        <button type="submit" class="button" aria-disabled={isSending}>
          {verb}
        </button>
      </div>
    </form>
  );
}

/** A line of a list of facts. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
