/** @jsxRuntime automatic @jsxImportSource preact */
import { isAllowed } from "../api/library.ts";
import { ACTIONS, type Action, keyParts } from "../ui/actions.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Switch } from "../ui/field.tsx";
import { hasSingleLetters } from "../ui/keys.ts";

/** Every key, and the switch for those who would rather not have single letters do things. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const actions = Object.values(ACTIONS).filter((action: Action) => isAllowed(action));
  const groups = Map.groupBy(actions, ({ group }) => group);
  return (
    <Dialog label="Keyboard shortcuts" kind="wide" onClose={onClose}>
      <Switch
        label="Single-letter shortcuts"
        hint="Switch them off if you use speech input, or press keys by accident."
        isOn={hasSingleLetters.value}
        onChange={(isOn) => {
          hasSingleLetters.value = isOn;
        }}
      />
      <div class="keys">
        {[...groups].map(([group, actions]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {actions.map(({ name, keys }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {(keys.length > 4 ? [`${keys[0]}–${keys.at(-1)}`] : keys).map((key) => (
                      <span key={key} class="key">
                        {keyParts(key).map((part) => (
                          <kbd key={part}>{part}</kbd>
                        ))}
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
