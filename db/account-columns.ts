/** What a value of a column may be when it comes from another server. Null is allowed where the table allows it. */
export type ColumnRule =
  /** The id of the account that moves. */
  | { is: "account" }
  | { is: "text"; most: number; pattern?: RegExp }
  | { is: "whole" | "real"; from: number; to: number }
  /** Epoch milliseconds; of the past, or at most `days` from now. */
  | { is: "time"; days?: number }
  /** Exactly or at most so many bytes; what they mean has a check by name. */
  | { is: "bytes"; most: number; exactly?: number; as?: BytesAs }
  /** A text that has a check by name. */
  | { is: "special"; as: SpecialAs };

type BytesAs = "float32" | "float64" | "uint32" | "pairs" | "deflated" | "deflatedPairs";
type SpecialAs =
  | "colour"
  | "email"
  | "mediaType"
  | "passwordHash"
  | "webAddress"
  | "webhookAddress"
  | "website"
  | "arguments"
  | "candidates"
  | "changes"
  | "decibels"
  | "features"
  | "fileTags"
  | "interpretation"
  | "object"
  | "pack"
  | "parts"
  | "searchRequest"
  | "strings"
  | "thanks"
  | "verdicts";

type ColumnRules = Readonly<Record<string, ColumnRule>>;

const account: ColumnRule = { is: "account" };
const past: ColumnRule = { is: "time", days: 1 };
const time: ColumnRule = { is: "time" };
const within = (days: number): ColumnRule => ({ is: "time", days });
const text = (most: number): ColumnRule => ({ is: "text", most });
const like = (pattern: RegExp, most = 200): ColumnRule => ({ is: "text", most, pattern });
const whole = (from: number, to: number): ColumnRule => ({ is: "whole", from, to });
const real = (from: number, to: number): ColumnRule => ({ is: "real", from, to });
const bytes = (exactly: number): ColumnRule => ({ is: "bytes", most: exactly, exactly });
const blob = (most: number, as?: BytesAs): ColumnRule => ({ is: "bytes", most, ...(as && { as }) });
const special = (as: SpecialAs): ColumnRule => ({ is: "special", as });

const id = like(/^[a-z]{2,5}_[\w-]+$/, 120);
const sha256 = like(/^[0-9a-f]{64}$/);
const token = like(/^[\w-]{16,64}$/);
const picture = like(/^[0-9a-f]{32}\.(jpg|webp)$/);
const word = like(/^[\w.: -]+$/, 100);
const category = like(/^(genres|moods|types|vocals|instruments|lyricThemes|eras|characters|movements|tags)$/);
const flag = whole(0, 1);
/** Numbers that say an order. They are far below what a number can hold, so that those of the target stay exact. */
const number = whole(-(2 ** 36), 2 ** 36);
const place = whole(-(2 ** 45), 2 ** 45);
const count = whole(0, 2 ** 40);
const note = text(500);
const strings = special("strings");
const decibels = real(-400, 400);
const share = real(0, 1);

/**
 * Every column of the tables that an account takes along, with what its values may be: what is not listed does not go along.
 * The rules are those under which requests write the columns, or wider where older programs allowed more.
 */
export const ACCOUNT_COLUMNS: Readonly<Record<string, ColumnRules>> = {
  accounts: {
    id: account,
    email: special("email"),
    name: text(200),
    username: text(200),
    password_hash: special("passwordHash"),
    active: flag,
    credits: count,
    created_at: past,
    first_steps_dismissed_at: past,
    operator: flag,
    thanks: special("thanks"),
  },
  account_visits: { account_id: account, since: past, last_at: past },
  brands: {
    account_id: account,
    name: text(80),
    accent: special("colour"),
    website: special("website"),
    logo_key: picture,
  },
  sessions: {
    id,
    account_id: account,
    token_hash: bytes(32),
    user_agent: text(1000),
    ip: text(100),
    created_at: past,
    last_used_at: past,
    absolute_expires_at: within(91),
  },
  api_keys: {
    id: like(/^key_[0-9a-f]{32}$/),
    account_id: account,
    name: text(200),
    scopes: strings,
    secret_hash: bytes(32),
    secret_copy: blob(1000),
    created_at: past,
    last_used_at: past,
    expires_at: time,
    revoked_at: past,
    rotated_to: id,
    webhook_url: special("webhookAddress"),
    webhook_active: flag,
  },
  oauth_grants: {
    id,
    account_id: account,
    client_id: text(2000),
    client_name: text(200),
    redirect_uri: text(2000),
    resource: text(2000),
    scopes: strings,
    created_at: past,
    last_used_at: past,
    expires_at: within(31),
  },
  oauth_tokens: {
    token_hash: bytes(32),
    grant_id: id,
    kind: word,
    scopes: strings,
    expires_at: within(31),
    used_at: past,
  },
  oauth_clients: {
    id,
    name: text(200),
    redirect_uris: strings,
    registered_from: text(200),
    created_at: past,
    last_used_at: past,
  },
  tracks: {
    seq: number,
    id,
    owner_id: account,
    name: text(1000),
    name_fold: text(4000),
    created_at: past,
    active_version_id: id,
    next_version_order: whole(1, 1e6),
    cid: like(/^([0-9a-f]{64})?$/),
    analysis_status: word,
    analysis_code: text(200),
    analysis_reason: text(2000),
    analysis_version_id: id,
    owner_fields: strings,
    title: note,
    title_fold: text(4000),
    artist: note,
    bpm: real(0, 1000),
    key: note,
    duration_sec: real(0, 1e6),
    album: note,
    album_artist: note,
    composer: note,
    album_composer: note,
    year: note,
    album_year: note,
    isrc: note,
    track_genre: text(20_000),
    track_number: note,
    in_inbox: flag,
    disc_number: note,
    total_tracks_album: note,
    total_discs_album: note,
    record_label: note,
    language: note,
    cover: picture,
    notes: text(200_000),
    lyrics: text(200_000),
    suggestion_model: text(500),
    deleted_at: past,
    artist_fold: text(4000),
  },
  versions: {
    id,
    track_id: id,
    version_order: whole(0, 1e6),
    label: text(200),
    name: text(1000),
    visible: flag,
    sha256,
    size_bytes: whole(1, 2 ** 40),
    media_type: special("mediaType"),
    container: like(/^[a-z0-9]{1,20}$/),
    created_at: past,
    analysed_at: past,
  },
  analyses: {
    version_id: id,
    track_id: id,
    analyzer_version: text(500),
    analysed_at: past,
    duration_sec: real(0, 1e6),
    sample_rate_hz: whole(1, 768_000),
    channels: whole(1, 64),
    codec: text(200),
    lossless: flag,
    bit_depth: whole(0, 1000),
    bitrate_bps: count,
    truncated: flag,
    integrated_lufs: decibels,
    range_lu: decibels,
    momentary_max_lufs: decibels,
    short_term_max_lufs: decibels,
    true_peak_dbtp: decibels,
    sample_peak_dbfs: decibels,
    bpm: real(1, 1000),
    bpm_confidence: share,
    bpm_candidates: special("candidates"),
    key: like(/^[A-G][#b]? (major|minor)$/),
    key_confidence: share,
    tuning_cents: real(-100, 100),
    features: special("features"),
    embedded: special("fileTags"),
    waveform: blob(8000, "pairs"),
  },
  track_vectors: {
    track_id: id,
    provider: word,
    version: text(500),
    dimensions: whole(0, 4096),
    embedding: blob(16_384, "float32"),
  },
  track_tags: {
    track_id: id,
    category,
    tag_id: text(2000),
    name: note,
    name_fold: text(4000),
    position: whole(0, 1e6),
    source: word,
    owner_id: account,
  },
  tag_suggestions: {
    track_id: id,
    category,
    tag_id: text(2000),
    name: note,
    confidence: share,
    model_version: text(500),
  },
  tag_decisions: {
    seq: number,
    owner_id: account,
    track_id: id,
    category,
    tags_before: strings,
    verdicts_before: special("verdicts"),
    at: past,
  },
  tag_feedback: {
    seq: number,
    id,
    owner_id: account,
    track_id: id,
    category,
    tag_id: text(2000),
    name: note,
    verdict: word,
    source: word,
    at: past,
  },
  tag_revisions: { owner_id: account, category, revision: count },
  tag_models: {
    owner_id: account,
    category,
    tag_id: text(2000),
    name: note,
    trained_revision: count,
    basis: text(500),
    positives: count,
    negatives: count,
    parameters: blob(4_000_000, "float64"),
  },
  tag_learners: {
    owner_id: account,
    model_version: text(500),
    refreshed_version: text(500),
    learnt_seq: number,
  },
  recordings: {
    id: number,
    owner_id: account,
    pcm_sha256: bytes(32),
    codes: blob(1_000_000, "uint32"),
    columns: blob(2_500_000),
    levels: blob(8_000_000, "deflated"),
    balance: special("decibels"),
    frames_per_pair: whole(1, 2 ** 31),
    peaks: blob(1_000_000, "deflatedPairs"),
  },
  recording_pairs: { earlier_id: number, later_id: number, similarity: share },
  recording_mixes: { earlier_id: number, later_id: number, similarity: share },
  version_recordings: { version_id: id, recording_id: number },
  composers: {
    id,
    owner_id: account,
    full_name: text(200),
    artist_name: text(200),
    email: special("email"),
    publisher: text(200),
    pro: text(200),
    ipi: text(200),
    created_at: past,
    deleted_at: past,
    isni: text(200),
  },
  track_shareholders: {
    track_id: id,
    composer_id: id,
    share: real(0, 100),
    role: text(100),
    position: whole(0, 1e6),
    created_at: past,
  },
  playlists: {
    id,
    owner_id: account,
    name: text(1000),
    description: text(2000),
    image: picture,
    collaborative: flag,
    is_pinned: flag,
    created_at: past,
    updated_at: past,
    deleted_at: past,
    kind: word,
    artist: note,
    album_type: word,
    label: note,
    catalogue_number: text(100),
    release_date: like(/^\d{4}(-\d\d){0,2}$/),
    upc: like(/^\d{12,13}$/),
  },
  playlist_tracks: { id: number, playlist_id: id, track_id: id, position: place, added_at: past },
  shares: {
    id,
    owner_id: account,
    entity: word,
    entity_id: id,
    token,
    password_hash: special("passwordHash"),
    expires_at: time,
    max_uses: count,
    uses: count,
    allow_download: flag,
    allow_comments: flag,
    recipient: text(320),
    created_at: past,
    revoked_at: past,
    show_details: flag,
    turned: word,
  },
  comments: {
    id,
    track_id: id,
    author_id: id,
    author_name: text(200),
    share_id: id,
    text: text(2000),
    position_sec: real(0, 1e6),
    created_at: past,
    version_id: id,
    heard_label: text(200),
  },
  briefs: {
    id,
    owner_id: account,
    name: text(200),
    status: word,
    deadline: time,
    priority: word,
    tags: strings,
    contact_email: special("email"),
    description: text(20_000),
    token,
    public_page: flag,
    public_since: past,
    is_paid: flag,
    created_at: past,
    updated_at: past,
    pack: special("pack"),
  },
  brief_requests: {
    id,
    brief_id: id,
    email: like(/^(?:[^@\s]+@[^@\s]+)?$/, 254),
    message: text(2000),
    token,
    created_at: past,
    name: text(320),
  },
  brief_submissions: {
    id,
    brief_id: id,
    batch_id: id,
    type: word,
    track_id: id,
    link: special("webAddress"),
    message: text(20_000),
    request_id: id,
    submitter_account_id: id,
    submitter_hash: like(/^[\w-]+$/),
    kind: word,
    created_at: past,
    submitter_name: text(320),
    submitter_email: special("email"),
    state: word,
    decided_at: past,
    note: text(2000),
    shown_by_keep: flag,
  },
  activity_series: { ref: number, owner_id: account, entity: word, metric: word },
  activity_entities: { ref: number, owner_id: account, entity: word, entity_id: id },
  activity: {
    seq: number,
    id,
    series_ref: number,
    entity_ref: number,
    at: past,
    actor_type: word,
    actor_name: text(320),
    share_id: id,
    left_out: word,
    visit: text(200),
    heard_sec: whole(0, 1e9),
    playlist_ref: number,
    heard: special("parts"),
    stopped_sec: real(0, 1e6),
  },
  activity_days: { series_ref: number, day: whole(19_700_101, 99_991_231), count },
  activity_counts: { entity_ref: number, series_ref: number, period: whole(0, 99_991_231), count },
  saves: { account_id: account, entity: word, entity_id: id, created_at: past },
  searches: {
    id,
    account_id: account,
    key_id: id,
    query: text(4000),
    request: special("searchRequest"),
    interpretation: special("interpretation"),
    result_ids: strings,
    credits_charged: count,
    at: past,
  },
  notifications: {
    id,
    account_id: account,
    kind: word,
    title: text(4000),
    entity_key: word,
    entity_id: like(/^[\w-]+$/, 120),
    created_at: past,
    read_at: past,
  },
  intakes: {
    seq: number,
    id,
    account_id: account,
    kind: word,
    source: text(5000),
    path: text(5000),
    size_bytes: count,
    modified_at: real(-1e15, 1e15),
    inode: like(/^\d*$/, 40),
    sha256,
    outcome: word,
    reason: text(2000),
    label: text(200),
    track_id: id,
    version_id: id,
    version_before: id,
    taken_at: past,
    undone_at: past,
  },
  assistant_calls: {
    id,
    account_id: account,
    key_id: id,
    client: text(1000),
    tool: word,
    arguments: special("arguments"),
    outcome: word,
    is_rehearsal: flag,
    changes: special("changes"),
    undone_at: past,
    duration_ms: count,
    at: past,
  },
  usage_records: {
    id,
    key_id: id,
    account_id: account,
    route: text(500),
    method: like(/^[A-Z]{1,10}$/),
    status: whole(100, 599),
    duration_ms: count,
    ip: text(100),
    at: past,
  },
  audit_log: { id, at: past, actor: id, action: word, subject: text(200), detail: special("object") },
  playlist_tracks_in_bin: { id: number, playlist_id: id, track_id: id, position: place, added_at: past },
};
