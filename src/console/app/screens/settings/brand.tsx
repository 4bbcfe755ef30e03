/** @jsxRuntime automatic @jsxImportSource preact */
import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_ACCENT, MAX_BRAND_NAME, MAX_WEBSITE } from "../../../../modules/people/brand/shapes.ts";
import { api, dataOf } from "../../api/client.ts";
import { type AnswerOf, query, queryClient, useQuery } from "../../api/queries.ts";
import { samePlace } from "../../first-data.ts";
import { Button } from "../../ui/button.tsx";
import { dataUriOf, PICTURES } from "../../ui/data-uri.ts";
import { Field } from "../../ui/field.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { typed } from "../../ui/use-form.ts";
import { contrasts, isColour, LEAST } from "./contrast.ts";
import { Part, SettingsForm, SettingsFrame } from "./frame.tsx";
import { Preview } from "./preview.tsx";

type Brand = AnswerOf<"/app/account/brand">["data"];

/** Pictures larger than this do not fit into a request. */
const MAX_BYTES = 7_000_000;

const brandQuery = () => query("/app/account/brand", {}, {});
const showBrand = (data: Brand) =>
  queryClient.setQueryData(brandQuery().queryKey, (before) => ({ ...(before as object), data }));

/** What visitors see in place of our name, colour and mark. */
export default function BrandScreen() {
  const { data, error, refetch } = useQuery(brandQuery());
  return (
    <SettingsFrame heading="Brand">
      <Problem error={error} onRetry={refetch} />
      {data && <BrandForm brand={data.data} />}
    </SettingsFrame>
  );
}

function BrandForm({ brand }: { brand: Brand }) {
  const name = useSignal(brand.name ?? "");
  const accent = useSignal(brand.accent ?? "");
  const website = useSignal(brand.website ?? "");
  const shown = useComputed(() => (isColour(accent.value) ? accent.value.trim().toLowerCase() : undefined));
  const save = async () => {
    const body = { name: name.value, accent: accent.value, website: website.value };
    const saved = await dataOf(api.PATCH("/app/account/brand", { body }));
    showBrand(saved);
    accent.value = saved.accent ?? "";
    website.value = saved.website ?? "";
    toast("Saved");
  };
  return (
    <>
      <Part heading="Your pages" note="Shown on the pages that you share and where people send you music.">
        <SettingsForm send={save}>
          {(wrong) => (
            <>
              <Field
                label="Name"
                hint="Shown instead of “Dubplate”."
                maxLength={MAX_BRAND_NAME}
                error={wrong.name}
                {...typed(name)}
              />
              <div class="brand-accent">
                <Field
                  label="Accent colour"
                  placeholder="#2f6f4e"
                  maxLength={MAX_ACCENT}
                  error={wrong.accent}
                  {...typed(accent)}
                />
                <input
                  type="color"
                  aria-label="Pick a colour"
                  {...typed(accent)}
                  value={shown.value ?? "#d8481f"}
                />
              </div>
              {shown.value && <Contrast accent={shown.value} />}
              <Field
                label="Website"
                hint="Your name links to it."
                maxLength={MAX_WEBSITE}
                error={wrong.website}
                {...typed(website)}
              />
            </>
          )}
        </SettingsForm>
      </Part>
      <Logo brand={brand} />
      <Part heading="Preview">
        <Preview name={name.value} accent={shown.value} logoUrl={brand.logoUrl} />
      </Part>
    </>
  );
}

/** How well a colour is seen on the pages, in both schemes. */
function Contrast({ accent }: { accent: string }) {
  const { light, dark } = contrasts(accent);
  const line = (scheme: string, ratio: number) => (
    <li class={ratio >= LEAST ? "server-good" : "server-trouble"}>
      {scheme}: {ratio.toFixed(1)} to 1, {ratio >= LEAST ? "easy to see" : "hard to see"}
    </li>
  );
  return (
    <ul class="brand-contrast" aria-label="Contrast">
      {line("On light paper", light)}
      {line("On dark paper", dark)}
    </ul>
  );
}

function Logo({ brand: { logoUrl } }: { brand: Brand }) {
  const picker = useRef<HTMLInputElement>(null);
  const take = async ([file]: readonly File[]) => {
    if (!file) return;
    if (file.size > MAX_BYTES) {
      toast("This picture is larger than 7 MB", { kind: "alert" });
      return;
    }
    const image = await dataUriOf(file);
    showBrand(await dataOf(api.PUT("/app/account/logo", { body: { image } })));
    toast("Logo changed");
  };
  const remove = async () => {
    showBrand(await dataOf(api.DELETE("/app/account/logo")));
    toast("Logo removed");
  };
  return (
    <Part heading="Logo" note="JPEG, PNG, WebP or GIF. It is shown small, in place of the disc.">
      {logoUrl !== null && <img class="brand-logo" src={samePlace(logoUrl)} alt="Logo" />}
      <div class="buttons">
        <Button look="secondary small" run={() => picker.current?.click()}>
          {logoUrl === null ? "Choose logo" : "Change logo"}
        </Button>
        {logoUrl !== null && (
          <Button look="quiet small" run={remove}>
            Remove logo
          </Button>
        )}
      </div>
      <FileInput label="Logo file" inputRef={picker} accept={PICTURES} take={take} />
    </Part>
  );
}
