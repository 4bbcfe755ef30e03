/** @jsxRuntime automatic @jsxImportSource preact */
import { useLayoutEffect, useRef } from "preact/hooks";
import { samePlace } from "../../first-data.ts";
import { Icon } from "../../ui/icon.tsx";
import { textOn } from "./contrast.ts";

type PreviewProps = { name: string; accent: string | undefined; logoUrl: string | null };

/** How a page that is shared will look, in both schemes. */
export function Preview(props: PreviewProps) {
  return (
    <section class="brand-preview" aria-label="Preview">
      <Sample scheme="light" {...props} />
      <Sample scheme="dark" {...props} />
    </section>
  );
}

function Sample({ scheme, name, accent, logoUrl }: PreviewProps & { scheme: "light" | "dark" }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const style = box.current?.style;
    if (accent === undefined) {
      style?.removeProperty("--accent");
      style?.removeProperty("--on-accent");
    } else {
      style?.setProperty("--accent", accent);
      style?.setProperty("--on-accent", textOn(accent));
    }
  }, [accent]);
  return (
    <div ref={box} class={`brand-sample brand-${scheme}`}>
      <p class="brand-sample-head">
        {logoUrl === null ? (
          <span class="brand-sample-disc" aria-hidden="true" />
        ) : (
          <img src={samePlace(logoUrl)} alt="" />
        )}
        {name.trim() || "Dubplate"}
      </p>
      <p class="brand-sample-track">
        <span class="brand-sample-play" aria-hidden="true">
          <Icon name="play" />
        </span>
        <span>
          <strong>Night Ferry</strong>
          <span class="brand-sample-line" aria-hidden="true" />
        </span>
      </p>
    </div>
  );
}
