/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { KeptField, useKeptFields } from "../../ui/kept-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Part, SettingsFrame } from "./frame.tsx";

type Limit = AnswerOf<"/app/readiness-limits">["data"][number];

const limitsQuery = () => query("/app/readiness-limits", {}, { tracks: "all" });
const PROFILES: readonly { value: Limit["profile"]; name: string }[] = [
  { value: "store", name: "Store" },
  { value: "sync", name: "Sync" },
  { value: "cd", name: "CD" },
  { value: "custom", name: "Custom" },
];
/** Units as fields have them; of others the value is a plain number. */
const UNITS: Readonly<Record<string, string>> = {
  dBTP: "dBTP",
  dB: "dB",
  sec: "s",
  Hz: "Hz",
  px: "pixels",
  share: "of full scale",
};

/** What the library asks of its tracks, in place of the limits of the rules. */
export default function ChecksScreen() {
  const { data, error, refetch } = useQuery(limitsQuery());
  const profile = useSignal<Limit["profile"]>("store");
  return (
    <SettingsFrame heading="Checks">
      <Problem error={error} onRetry={refetch} />
      {data && (
        <Part
          heading="Limits"
          note="What “What is missing” compares with. An empty field keeps the limit of the rule, which is below it."
        >
          <Segments
            label="For whom"
            options={PROFILES}
            current={profile.value}
            onChange={(value) => {
              profile.value = value;
            }}
          />
          <Limits
            key={profile.value}
            profile={profile.value}
            limits={data.data.filter((limit) => limit.profile === profile.value)}
          />
        </Part>
      )}
    </SettingsFrame>
  );
}

function Limits({ profile, limits }: { profile: Limit["profile"]; limits: readonly Limit[] }) {
  const { kept, said } = useKeptFields<string>(
    `limits ${profile}`,
    (rule) => String(limits.find((limit) => limit.rule === rule)?.own ?? ""),
    async (rule, text) => {
      const limit = limits.find((each) => each.rule === rule);
      const body = { profile, rule, value: text === "" || !limit ? null : limitOf(text, limit) };
      const data = await dataOf(api.PATCH("/app/readiness-limits", { body }));
      queryClient.setQueryData(limitsQuery().queryKey, (before) => ({ ...(before as object), data }));
    },
  );
  return (
    <div class="form settings-form">
      {limits.map((limit) => (
        <KeptField
          key={limit.rule}
          label={unitOf(limit) ? `${limit.name}, ${unitOf(limit)}` : limit.name}
          hint={`The rule says ${String(limit.standard).replace("-", "−")}.`}
          {...kept(limit.rule)}
        />
      ))}
      <p class="soft" role="status">
        {said}
      </p>
    </div>
  );
}

const unitOf = ({ unit }: Limit) => UNITS[unit ?? ""];

/** @throws ApiError for what is no limit. */
function limitOf(text: string, { name, least, most }: Limit): number {
  const value = Number(text.replace("−", "-").replace(",", "."));
  if (value >= least && value <= most) return value;
  throw new ApiError(0, "unreadable", `${name}: enter a number from ${least} to ${most}, or nothing.`);
}
