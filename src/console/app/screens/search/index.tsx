/** @jsxRuntime automatic @jsxImportSource preact */
import { Screen } from "../../ui/screen.tsx";

export default function SearchScreen() {
  return <Screen heading="Search" />;
}
