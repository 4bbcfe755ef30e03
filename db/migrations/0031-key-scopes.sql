-- New scopes were added. A key without a list would gain them unasked: it keeps what it had, written out (decision 0038).
UPDATE api_keys SET scopes = json_array(
  'read:tracks', 'create:tracks', 'update:tracks', 'read:playlists', 'create:playlists', 'update:playlists',
  'read:composers', 'read:composer', 'create:composer', 'update:composer', 'delete:composer', 'read:analytics',
  'read:briefs')
WHERE scopes IS NULL AND account_id IS NOT NULL;
