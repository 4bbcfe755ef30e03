-- The copies that went with a package: asked for while they are made, and when it is erased.
CREATE INDEX marked_copies_of_package ON marked_copies (package_id) WHERE package_id IS NOT NULL;
