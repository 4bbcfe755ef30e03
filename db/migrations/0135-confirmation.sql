-- Whether assistants that can ask a person do so before they delete something: 'deletes' or 'never'.
ALTER TABLE accounts ADD COLUMN assistant_confirm TEXT NOT NULL DEFAULT 'deletes'
  CHECK (assistant_confirm IN ('deletes', 'never'));
