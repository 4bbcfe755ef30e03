/** What the tests use of the Lua interpreter. */
declare module "fengari" {
  type State = object;
  type Text = Uint8Array;
  export const lua: {
    LUA_OK: number;
    lua_isstring: (state: State, index: number) => boolean;
    lua_tostring: (state: State, index: number) => Text;
  };
  export const lauxlib: { luaL_newstate: () => State; luaL_dostring: (state: State, text: Text) => number };
  export const lualib: { luaL_openlibs: (state: State) => void };
  export function to_luastring(text: string): Text;
  export function to_jsstring(text: Text): string;
}
