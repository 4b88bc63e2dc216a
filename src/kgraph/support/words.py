"""The closed classes of words by which support is judged: what denies, hedges, reports, counts and opposes. English, German, Japanese,
and the few signs of Chinese that are as plain.

Only words that a grammar could list: what is missing here makes a judgement milder, never an approval.
"""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


FUNCTION = {
    "en": _set(
        "a an the and or but nor so yet if then than that this these those there here it its he she they we you i him her them us me his "
        "hers their theirs our ours my your yours who whom whose which what when where why how is are was were be been being am do does "
        "did done doing has have had having will would shall should may might must can could ought of in on at to from for with by into "
        "onto over under through via during since until before after against between among within without across about as because "
        "while although though unless despite per up out off down again also just very too both either neither each every all any some "
        "no not never none nothing nobody such same other another own only even still already now more most less least much many few "
        "several 's s t re ve ll d m nt itself himself herself themselves according due well around towards toward upon one ones"
    ),
    "de": _set(
        "der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch wenn falls dann als dass daß ob weil da "
        "während obwohl bevor nachdem bis seit es er sie wir ihr ich du ihn ihm ihnen uns euch mich mir dich dir sein seine seinen seiner "
        "seinem ihre ihren ihrer ihrem unser unsere dieser diese dieses diesen diesem jener jene jenes welche welcher welches wer was wo "
        "wie warum ist sind war waren sei wäre bin wird werden wurde wurden worden geworden hat haben hatte hatten kann können konnte "
        "konnten muss müssen musste soll sollen sollte will wollen wollte darf dürfen mag von vom in im an am auf aus bei mit nach zu zum "
        "zur für durch gegen ohne um über unter vor hinter neben zwischen nicht kein keine keinen keinem keiner keines nie niemals sich "
        "so auch nur noch schon sehr mehr man hier dort alle alles jede jeder jedes einige viele wenige beim ins ans"
    ),
}
PRONOUNS = _set(
    "it he she they we i you him her them us me his its their our my this that these those who which er sie es wir ihr ich ihn ihm ihnen "
    "uns dieser diese dieses sein seine ihre"
)
PERSONAL = _set(
    "it he she they we i him her them us his hers its their our er sie es wir ich ihn ihm ihnen uns sein seine ihre"
)
DEFINITE = _set("the this that these those our their its his her der die das dem den dieser diese")

# -- negation ------------------------------------------------------------------------------------------------------------------------

NEGATORS = _set(
    "not never no nt none nobody nothing neither nor without cannot hardly barely scarcely nowhere "
    "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts weder ohne kaum"
)
COMPLEMENTS = _set("else otherwise rest other others sonst andere")
# Of these what follows is denied: 'failed to start', 'instead of Postgres'.
REFUSALS = _set(
    "fail refuse decline neglect omit cease stop avoid unable lack deny reject forget prevent"
)
NEGATING_PHRASES = (
    "instead of",
    "rather than",
    "in place of",
    "no longer",
    "anstelle von",
    "anstatt",
    "statt",
    "nicht mehr",
)
# With one of these a text can deny without a negator, or a denial can be of something else.
SOFT_DENIALS = _set(
    "fix drop discontinue abandon abolish cancel remove end dispute deny refute reject refuse lack miss absence fail prevent avoid prohibit "
    "forbid limit stop cease exclude except unlike besides else otherwise rest other others withdraw revoke retire only exempt impossible "
    "unable hinder protect against free until before außer statt sonst andere lehnen verhindern"
)
# What is not known to be so, if it is denied: 'no evidence that …'.
NOT_FACTS = _set("evidence proof sign indication true believe think claim say case likely hint")
# Not a denial, although a negator stands in it.
NOT_DENYING = (
    "not only", "no later than", "no more than", "no less than", "no fewer than", "no earlier than", "not later than", "not more than",
    "not less than", "nothing but", "no doubt", "nicht nur", "not just", "not merely",
)  # fmt: skip
NEGATING_ENDINGS = ("ない", "なかった", "ません", "ず", "ぬ", "なく", "なけれ", "ざる")
NEGATING_SIGNS = ("不", "没", "沒", "未", "无", "無", "非")
NOT_DENYING_SIGNS = (
    "かもしれない", "かもしれません", "に違いない", "なければならない", "なければなりません", "なくてはならない", "だけでなく",
    "のみならず", "ではないか", "不仅", "不但", "未来", "無線", "非常", "少なく", "必ず", "まず", "わず", "ばず",
)  # fmt: skip

# -- hedges --------------------------------------------------------------------------------------------------------------------------

HEDGES = _set(
    "may might could possibly perhaps maybe probably likely unlikely presumably supposedly allegedly alleged reportedly rumoured rumored "
    "apparently seemingly potentially potential appear appears appeared seem seems seemed suspect suspects suspected suspicion think "
    "thinks thought believe believes believed assume assumes assumed guess guesses guessed hypothesis hypothetical hypothesised "
    "speculate speculates speculated claim claims claimed allege suggests suggest suggested unclear unconfirmed uncertain tentative "
    "tentatively hope hopes hoped expect expects expected plan plans planned planning propose proposes proposed proposal consider "
    "considers considered considering intend intends intended would should ought unverified doubt doubts doubtful rumour rumor argue "
    "argues argued estimate estimated candidate conceivably arguably if whether unless provided wish wishes aims aim try tries tried "
    "attempt attempts attempted almost nearly forecast predicted projected scheduled "
    "könnte könnten möglicherweise vielleicht wahrscheinlich vermutlich angeblich soll sollte sollten dürfte dürften wohl eventuell "
    "geplant voraussichtlich mutmaßlich vermutet vermuten scheint offenbar anscheinend falls wenn ob würde würden hätte wäre plant "
    "plante beabsichtigt erwägt fast beinahe behauptet behaupten"
)
# With one of these a hedge says what is so: 'could not connect' is a fact.
HEDGES_OF_FACT = _set("could")
PARTIAL_TIMES = _set(
    "sometimes occasionally rarely seldom partly partially usually typically often mostly generally frequently normally intermittently "
    "manchmal gelegentlich selten teilweise meist meistens oft häufig normalerweise üblicherweise"
)
PARTIAL_COUNTS = _set(
    "some few several many most half third quarter fifth percent % part parts certain various majority minority only just einige wenige manche viele mehrere meisten teil hälfte"
)
UNIVERSAL = _set(
    "all every each always entire entirely completely fully everyone everything everybody whole any none never nobody exclusively solely "
    "alle jede jeder jedes sämtliche immer stets vollständig ganz komplett ausschließlich exactly precisely definitely certainly proven "
    "confirmed genau sicher"
)
HEDGING_SIGNS = (
    "かもしれ", "だろう", "でしょう", "可能性", "らしい", "と思われ", "と思う", "予定", "とされ", "はずだ", "はずで", "見込み", "見通し", "そうだ", "ようだ",
    "恐れがある", "おそらく", "多分", "たぶん", "検討", "推定", "推測", "可能", "也许", "或许", "据说", "预计", "计划", "大概", "恐怕", "疑似", "もし", "如果",
    "場合", "と主張", "すれば", "なら", "時々", "一部",
)  # fmt: skip
BOUNDS = {
    "at least": "min", "no less than": "min", "no fewer than": "min", "not less than": "min", "more than": "above", "over": "above",
    "above": "above", "exceeds": "above", "exceeding": "above", "exceeded": "above", "at most": "max", "no more than": "max",
    "not more than": "max", "up to": "max", "maximum of": "max", "minimum of": "min", "less than": "below", "fewer than": "below",
    "under": "below", "below": "below", "within": "max", "no later than": "max", "by up to": "max", "mindestens": "min",
    "höchstens": "max", "maximal": "max", "minimal": "min", "mehr als": "above", "weniger als": "below", "bis zu": "max", "über": "above",
    "unter": "below", "almost": "near", "nearly": "near", "fast": "near", "<": "below", ">": "above", "≤": "max", "≥": "min",
}  # fmt: skip
LIMITS = _set(
    "limit max maximum min minimum cap deadline most least restrict allow höchstgrenze maximal minimal"
)
APPROXIMATE = _set(
    "about around approximately roughly circa some nearly almost over ~ ≈ ca etwa rund ungefähr knapp gut"
)

# Frames that take back or leave open what stands in them: 'denied that it works', 'it is a rumour that', 'used to'.
FRAMES = _set(
    "deny dispute refute doubt rumour rumor myth hoax allege dementieren bestreiten leugnen gerücht"
)
STRONG_MODALS = _set("must shall will muss")
WEAK_MODALS = _set("may might could can kann")

# -- opposites -----------------------------------------------------------------------------------------------------------------------

# Words of one gist on either side: who says the one of what is called the other says the opposite.
_OPPOSITES = (
    "increase rise rose risen grow grew grown raise climb gain jump surge|decrease fall fell fallen drop shrink shrank shrunk lower reduce "
    "decline sink sank lose lost cut halve",
    "improve better faster quicker strengthen best fastest|worsen degrade worse slower weaken deteriorate worst slowest",
    "start begin began begun launch resume open opened|stop end cease halt pause close closed shut finish",
    "enable activate allow permit accept approve grant|disable deactivate deny forbid block reject refuse ban prohibit revoke",
    "pass succeed success successful succeeded successfully|fail failure failed unsuccessful unsuccessfully",
    "add attach connect include insert install|remove detach disconnect exclude delete uninstall drop omit",
    "buy bought purchase acquire|sell sold divest", "send sent emit|receive got obtain", "import|export",
    "higher larger bigger greater longer above over more exceed highest largest biggest longest taller|lower smaller shorter below under "
    "less fewer lowest smallest shortest",
    "earlier|later", "first earliest|last latest final", "fill filled|drain drained empty emptied", "near|far", "enlarge enlarged expanded|abridged "
    "shortened", "front|rear", "inner|outer", "upper|lower", "sender|recipient receiver", "lender|borrower", "buyer purchaser|seller vendor",
    "maximum max most|minimum min least",
    "true correct right valid|false incorrect wrong invalid", "inside internal|outside external",
    "public open|private closed confidential", "safe secure healthy stable|unsafe insecure unhealthy unstable dangerous",
    "online up available reachable running|offline down unavailable unreachable stopped", "present exist|absent missing",
    "hire appoint|fire dismiss resign", "arrive enter join|depart leave left exit quit", "create build make|destroy delete demolish dismantle",
    "confirm affirm prove|deny refute disprove", "support favour favor endorse|oppose reject", "agree|disagree",
    "profit surplus|loss deficit", "mandatory required compulsory|optional voluntary", "manual manually hand|automatic automatically",
    "win won|lose lost", "lose lost|regain restore recover", "renew extend prolong|cancel terminate", "most many majority|few minority hardly",
    "always often usually|rarely seldom hardly", "full|empty", "read|write wrote written", "postpone delay|cancel scrap", "found establish|dissolve leave left",
    "upload|download", "push|pull", "log login|logout", "read-only|writable", "horizontal|vertical", "minor|major", "passive|active", "import|export", "encrypt encrypted|decrypt plaintext unencrypted plain", "lock|unlock", "upgrade|downgrade", "expand widen|contract narrow",
    "hot warm|cold cool", "early|late", "fast quick|slow", "large big great|small little tiny", "high|low", "long|short",
    "old|new", "strong|weak", "easy simple|hard difficult complex", "cheap cheaper|expensive dearer", "good|bad", "left|right",
    "north northern|south southern", "east eastern|west western", "guilty|innocent", "legal lawful|illegal unlawful", "positive|negative",
    "primary|secondary", "permanent permanently|temporary temporarily", "synchronous|asynchronous", "complete completed finished|incomplete unfinished",
    "known|unknown", "alive|dead", "upstream|downstream", "rise rose|set", "day|night", "top|bottom",
    "parent|child", "employer|employee", "cause|prevent", "keep retain|discard abandon remove", "same identical equal|different unequal",
    "steigen stieg gestiegen erhöhen erhöht erhöhte wachsen wuchs|sinken sank gesunken senken gesenkt senkte fallen fiel gefallen verringern verringert",
    "früher|später", "aktiviert aktivieren erlauben erlaubt|deaktiviert deaktivieren verbieten verboten blockiert",
    "gestartet starten beginnen begann begonnen startete|gestoppt stoppen enden endete beendet stoppte", "größer höher länger mehr schneller besser|"
    "kleiner niedriger kürzer weniger langsamer schlechter", "erfolgreich bestanden gelungen|gescheitert fehlgeschlagen erfolglos",
    "öffnen geöffnet öffnete offen|schließen geschlossen schloss", "immer alle|nie niemals keine", "verfügbar erreichbar online|offline "
    "unerreichbar ausgefallen", "hinzugefügt|entfernt", "gekauft kaufte kaufen|verkauft verkaufte verkaufen", "gewonnen gewann|verloren verlor",
)  # fmt: skip
OPPOSITES = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, _, other in (row.partition("|") for row in _OPPOSITES)
)
OPPOSITE_SIGNS = (
    ("増", "減"), ("上昇", "下降"), ("上昇", "低下"), ("向上", "低下"), ("開始", "停止"), ("開始", "終了"), ("有効", "無効"), ("成功", "失敗"),
    ("追加", "削除"), ("以上", "以下"), ("最大", "最小"), ("前", "後"), ("高", "低"), ("大き", "小さ"), ("許可", "禁止"), ("接続", "切断"),
    ("購入", "売却"), ("可能", "不可能"), ("成功", "失败"), ("启用", "禁用"), ("上升", "下降"), ("增加", "减少"), ("承認", "却下"), ("速", "遅"),
    ("賛成", "反対"), ("必須", "任意"), ("復旧", "停止"), ("稼働", "停止"), ("安全", "危険"), ("公開", "非公開"), ("入力", "出力"), ("送信", "受信"),
)  # fmt: skip
NEGATING_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "de", "mis")

# -- typed edges ---------------------------------------------------------------------------------------------------------------------

# Base forms that say what an edge says, from its source to its target, and the other way.
RELATIONS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "DEPENDS_ON": (
        _set("depend require need use import call rely consume query read write invoke load extend inherit build run store host connect "
             "fetch link include benötigt braucht nutzt verwendet"),
        _set("serve power support provide underlie back feed supply"),
    ),
    "PARENT_OF": (
        _set("contain include own comprise hold consist manage supervise umfasst enthält"),
        _set("belong part member child subsidiary division inside within section component gehört teil"),
    ),
    "DERIVED_FROM": (_set("derive fork base build adapt copy generate translate come extract"), _set("inspire yield spawn produce")),
    "SUPERSEDES": (_set("supersede replace supplant succeed deprecate retire ersetzt"), _set("successor predecessor")),
    "REVISES": (_set("revise amend update correct edit"), _set("")),
    "PRODUCED": (_set("produce write create generate build make publish author"), _set("")),
    "EVALUATES": (_set("evaluate test assess benchmark measure judge review rate cover"), _set("")),
}  # fmt: skip
