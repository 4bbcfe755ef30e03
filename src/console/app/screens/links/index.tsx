/** @jsxRuntime automatic @jsxImportSource preact */
import { Screen } from "../../ui/screen.tsx";

export default function LinksScreen() {
  return <Screen heading="Links" />;
}
