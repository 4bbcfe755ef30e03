-- @description Render and send to Dubplate
-- @about
--   Renders the project with the most recent settings and sends every file that the render wrote to Dubplate, as a version of
--   the track that the project names. Then copies the track's address where SWS is installed, or shows it.
--
--   The project names its track in File > Project settings > Notes, with a line such as:  dubplate track: trk_019...
--   Without that line, the name of the file says which track it is.

local SECTION = "dubplate"
local SEND_TIMEOUT_MS = 600000
-- File: Render project, using the most recent render settings, auto-close render dialog
local RENDER = 42230

-- Asks once for the program, the server and a key; REAPER keeps them on this machine.
local function setting(name, question, default)
  local value = reaper.GetExtState(SECTION, name)
  if value ~= "" then return value end
  local ok, answer = reaper.GetUserInputs("Dubplate", 1, question .. ",extrawidth=300", default)
  if not ok or answer == "" then return nil end
  reaper.SetExtState(SECTION, name, answer, true)
  return answer
end

local function targets()
  local _, list = reaper.GetSetProjectInfo_String(0, "RENDER_TARGETS", "", false)
  local found = {}
  for file in list:gmatch("[^;]+") do found[#found + 1] = file end
  return found
end

-- Size of a file; nil when it is not there.
local function look(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local size = file:seek("end")
  file:close()
  return size
end

local function track_of_project()
  local notes = reaper.GetSetProjectNotes(0, false, "") or ""
  return notes:match("[Dd]ubplate track:%s*(trk_%w+)")
end

local function quoted(text) return '"' .. text:gsub('"', '') .. '"' end

-- Returns true and the track's page, or false and what the program said.
local function send(program, file, track, url, key)
  local command = quoted(program) .. " send " .. quoted(file) .. " --url " .. quoted(url) .. " --key " .. quoted(key)
  if track then command = command .. " --track " .. quoted(track) end
  local answer = reaper.ExecProcess(command, SEND_TIMEOUT_MS)
  if not answer then return false, "The program did not start: " .. program end
  local code, text = answer:match("^(%-?%d+)\r?\n?(.*)$")
  if code ~= "0" then return false, text or answer end
  return true, text:match('"url":"([^"]*)"')
end

local program = setting("program", "Path of the program dubplate", "dubplate")
local url = program and setting("url", "Address of the server", "http://127.0.0.1:4747")
local key = url and setting("key", "API key", "")
if not key then return end

-- After the render, names that count up are those of the next one: ask before it and after it, and send what exists. The server
-- recognises bytes that it has.
local wanted, is_wanted = {}, {}
local function want(file)
  if is_wanted[file] then return end
  is_wanted[file] = true
  wanted[#wanted + 1] = file
end
for _, file in ipairs(targets()) do want(file) end
reaper.Main_OnCommand(RENDER, 0)
for _, file in ipairs(targets()) do want(file) end

local failed, pages, sent = {}, {}, 0
local track = track_of_project()
for _, file in ipairs(wanted) do
  if look(file) then
    local ok, told = send(program, file, track, url, key)
    sent = sent + 1
    if ok then pages[#pages + 1] = told else failed[#failed + 1] = file .. "\n" .. tostring(told) end
  end
end

if sent == 0 then
  reaper.MB("The render wrote no file.", "Dubplate", 0)
elseif #failed > 0 then
  reaper.MB(table.concat(failed, "\n\n"), "Dubplate: not sent", 0)
elseif #pages > 0 then
  if reaper.CF_SetClipboard then
    reaper.CF_SetClipboard(pages[#pages])
  else
    reaper.MB(table.concat(pages, "\n"), "Dubplate: sent", 0)
  end
end
