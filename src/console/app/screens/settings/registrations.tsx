/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { KeptField, useKeptFields } from "../../ui/kept-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Part, SettingsFrame } from "./frame.tsx";

type Sender = AnswerOf<"/app/rights-sender">["data"];
type Name = "name" | "ipi" | "senderCode" | "society" | "prShare" | "mrShare" | "srShare";

const senderQuery = () => query("/app/rights-sender", {}, {});
const FIELDS: readonly {
  name: Name;
  label: string;
  hint?: string;
  problems: readonly Sender["problems"][number][];
}[] = [
  { name: "name", label: "Publisher", hint: "As its writers’ entries name it.", problems: ["no_name"] },
  { name: "ipi", label: "IPI", hint: "The name number, 11 digits.", problems: ["no_ipi", "bad_ipi"] },
  {
    name: "senderCode",
    label: "Sender code",
    hint: "Two or three signs, from CISAC.",
    problems: ["no_sender_code"],
  },
  { name: "society", label: "Society", problems: ["no_society", "unknown_society"] },
];
const SHARES: readonly { name: Name; label: string; most: number; what: string }[] = [
  { name: "prShare", label: "Performing right, % of a writer’s share", most: 50, what: "performing" },
  { name: "mrShare", label: "Mechanical right, %", most: 100, what: "mechanical" },
  { name: "srShare", label: "Synchronisation right, %", most: 100, what: "synchronisation" },
];
const WRONG: Partial<Readonly<Record<Sender["problems"][number], string>>> = {
  bad_ipi: "The last two digits do not fit. Compare the number with the society’s.",
  unknown_society: "Registrations do not know this society.",
};

/** Who registers the library's works with societies. */
export default function RegistrationsScreen() {
  const { data, error, refetch } = useQuery(senderQuery());
  return (
    <SettingsFrame heading="Registrations">
      <Problem error={error} onRetry={refetch} />
      {data && <SenderForm sender={data.data} />}
    </SettingsFrame>
  );
}

function SenderForm({ sender }: { sender: Sender }) {
  const { kept, said } = useKeptFields<Name>(
    "rights sender",
    (name) => String(sender[name] ?? ""),
    async (name, text) => {
      if (name === "senderCode" && !/^([a-z0-9]{2,3})?$/i.test(text))
        throw new ApiError(0, "unreadable", "A sender code has two or three letters or digits.");
      const share = SHARES.find((each) => each.name === name);
      const body = { [name]: share ? shareOf(text, share) : text || null };
      const data = await dataOf(api.PATCH("/app/rights-sender", { body }));
      queryClient.setQueryData(senderQuery().queryKey, (before) => ({ ...(before as object), data }));
    },
  );
  return (
    <Part
      heading="The sender"
      note="Registrations (CWR) are for publishers with an IPI and a sender code of CISAC. Everybody else sends the split sheet: do not make a code up."
    >
      <div class="form settings-form">
        {FIELDS.map(({ name, label, hint, problems }) => {
          const problem = problems.find((each) => sender.problems.includes(each));
          const { error = problem && WRONG[problem], ...field } = kept(name);
          return (
            <KeptField
              key={name}
              label={label}
              {...(hint !== undefined && { hint })}
              {...field}
              error={error}
            />
          );
        })}
        {SHARES.map(({ name, label }) => (
          <KeptField key={name} label={label} type="number" {...kept(name)} />
        ))}
        <p class="soft" role="status">
          {said || (sender.problems.length === 0 ? "Ready to register." : "Not ready to register yet.")}
        </p>
      </div>
    </Part>
  );
}

/** @throws ApiError for what is no share. */
function shareOf(text: string, { most, what }: { most: number; what: string }): number {
  const share = Number(text);
  if (text !== "" && share >= 0 && share <= most) return share;
  throw new ApiError(0, "unreadable", `The ${what} right is a number from 0 to ${most}.`);
}
