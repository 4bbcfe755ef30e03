/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { can, canSendMail } from "../../api/library.ts";
import { usePages } from "../../api/pages.ts";
import { query } from "../../api/queries.ts";
import { place, setSearch } from "../../router.ts";
import { type Contact, optionsOf, useContacts } from "../../share/contacts.ts";
import { ListenedNote } from "../../share/listened.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { ago } from "../../ui/dates.ts";
import { ListScreen } from "../../ui/list-screen.tsx";
import { counted } from "../../ui/numbers.ts";
import { LinksTable } from "./links-table.tsx";
import { Reminders } from "./reminders.tsx";
import "./links.css";

/** Every link of the account, newest first. */
export default function LinksScreen() {
  const pages = usePages(query("/app/links", { query: { limit: 200 } }, { shares: "all", activity: "all" }));
  const person = place.value.search.get("for") ?? "";
  return (
    <ListScreen
      heading="Links"
      pages={pages}
      empty={[
        "Nothing shared yet",
        "Choose a track or a playlist and press Share. Give each person their own link, and this list shows who listened and how far.",
      ]}
    >
      {(links) => {
        const shown = links.filter(({ recipient }) => fits(recipient, person));
        return (
          <>
            {canSendMail() && <Reminders />}
            <div class="links-filter">
              <PersonFilter person={person} />
            </div>
            {shown.length === 0 && <p class="soft">There is no link for “{person}”.</p>}
            {shown.length > 0 && <LinksTable links={shown} />}
            {shown.length > 0 && can("read:analytics") && <ListenedNote />}
          </>
        );
      }}
    </ListScreen>
  );
}

/** Takes part of a name, or someone of the list. */
function PersonFilter({ person }: { person: string }) {
  const text = useSignal(person);
  const contacts = useContacts();
  useSignalEffect(() => {
    if (text.value !== (place.peek().search.get("for") ?? "")) setSearch({ for: text.value });
  });
  useEffect(() => {
    text.value = person;
  }, [person, text]);
  const hintOf = ({ links, lastHeardAt }: Contact) =>
    !can("read:analytics")
      ? counted(links, "link")
      : `${counted(links, "link")}, ${lastHeardAt === null ? "not heard yet" : `heard ${ago(lastHeardAt)}`}`;
  return (
    <Combobox
      label="Filter by person"
      isLabelHidden
      placeholder="Filter by person"
      text={text}
      options={optionsOf(contacts, text.value, hintOf)}
      onChoose={({ text: name }) => {
        text.value = name;
      }}
      onEnter={() => undefined}
    />
  );
}

function fits(recipient: string | null, person: string): boolean {
  return person === "" || (recipient ?? "").toLowerCase().includes(person.trim().toLowerCase());
}
