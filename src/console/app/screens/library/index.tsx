/** @jsxRuntime automatic @jsxImportSource preact */
import { Screen } from "../../ui/screen.tsx";

export default function LibraryScreen() {
  return <Screen heading="Library" kind="list" />;
}
