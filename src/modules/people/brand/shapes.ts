import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";

/** Characters. */
export const MAX_BRAND_NAME = 80;
export const MAX_ACCENT = 9;
export const MAX_WEBSITE = 500;

const text = nullable(Type.String());

/** What an account's pages show instead of our name and mark. */
export const Brand = shape("Brand", {
  name: text,
  accent: nullable(Type.String({ description: "Colour of what plays and what is pressed, `#rrggbb`" })),
  website: text,
  logoUrl: nullable(Type.String({ description: "Public address of the logo" })),
});
export type Brand = Static<typeof Brand>;

export const ChangeBrand = shape(
  "ChangeBrand",
  {
    name: Type.Optional(
      nullable(Type.String({ maxLength: MAX_BRAND_NAME, description: "Null or blank: ours" })),
    ),
    accent: Type.Optional(
      nullable(
        Type.String({
          maxLength: MAX_ACCENT,
          description: "`#rrggbb`; it must be seen on light and dark paper. Null or blank: ours",
        }),
      ),
    ),
    website: Type.Optional(
      nullable(Type.String({ maxLength: MAX_WEBSITE, description: "http or https; null or blank: none" })),
    ),
  },
  { description: "What to change of your brand" },
);
export type ChangeBrand = Static<typeof ChangeBrand>;

export const AccentParams = Type.Object({ file: Type.String() });

export const SetLogo = shape(
  "SetLogo",
  { image: Type.String({ description: "A JPEG, PNG, WebP or GIF, as base64 or as a data URI" }) },
  { description: "A logo" },
);
