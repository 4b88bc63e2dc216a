"""General knowledge of how names vary, as data: no name of any particular thing stands here, save well-known given names and places."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LEGAL_FORMS = words(
    "inc incorporated corp corporation co company ltd limited llc llp lp plc pllc pty pte"
    " pvt gmbh mbh ag kg kgaa ohg ug se sa sas sarl spa srl sl"
    " nv bv ab asa oy oyj aps as kk kabushiki kaisha ltda lda sro doo zrt kft bhd sdn tbk jsc ojsc pjsc ooo oao zao holding holdings group"
    " 株式会社 有限公司 有限责任公司 股份有限公司 公司 주식회사 유한회사"
)

HONORIFICS = words(
    "mr mrs ms miss mx dr prof professor sir dame lord lady rev reverend hon honorable honourable president chancellor senator governor"
    " king queen prince princess pope saint st captain capt colonel col general gen major maj lieutenant lt sgt sergeant herr frau monsieur"
    " madame mme señor señora don dona phd md esq msc bsc mba"
)

GENERATIONS = {"jr": "2", "junior": "2", "sr": "1", "senior": "1"}

ARTICLES = words(
    "the a an der die das den dem le la les l el los las il lo gli i o os as al de het een en et"
)

LINKING_WORDS = words(
    "of the and for in on at to by with from a an or & de du des la le et der die das und von van di da del della e y für zu im am"
    " los las do dos"
)

# Words for a kind of thing. Alone they tell nothing about which one is meant.
TYPE_WORDS = words(
    "service services server library lib module package project tool framework system platform app application api sdk client plugin team"
    " department division unit office agency institute institution organization organisation association foundation committee council"
    " university college school company corporation group bank city town village county province state republic kingdom country region"
    " district island river lake mount mountain sea ocean street road airport station hospital museum company band film movie book novel"
    " album song game protocol algorithm method function class database file component product brand drug medicine language concept"
    " thing entity person event tournament championship edition stadt fluss ville"
)

# Clippings that are common in names of organisations, places and publications.
_CLIPPED = (
    "dept department intl international natl national govt government assn association assoc association univ university inst"
    " institute mgmt management mfg manufacturing tech technology svc service svcs services ctr center centre center bldg"
    " building ave avenue blvd boulevard rd road mt mount ft fort proc proceedings conf conference trans transactions symp"
    " symposium db database eng engineering admin administration info information sys system auth authentication repo"
    " repository env environment"
)
_WORDS_CLIPPED = _CLIPPED.split()
ABBREVIATIONS = dict(zip(_WORDS_CLIPPED[::2], _WORDS_CLIPPED[1::2], strict=True))

# Where names agree but for one word each, and both words are of one row, they are two things: even if the words look alike.
EXCLUSIVE_SETS: tuple[frozenset[str], ...] = tuple(
    words(row)
    for row in (
        "north south east west northern southern eastern western",
        "upper lower middle inner outer left right",
        "summer winter spring autumn",
        "male female men women mens womens boys girls",
        "internal external public private",
        "client server source target input output import export read write reader writer encoder decoder",
        "primary secondary tertiary master replica",
        "min max minimum maximum before after start end first last from to old new",
        "local remote online offline staging production development test dev prod frontend backend",
        "red blue green yellow black white orange purple pink grey gray silver gold brown",
        "mini small medium large xl xxl",
        "monday tuesday wednesday thursday friday saturday sunday",
        "january february march april may june july august september october november december",
        "ios android windows linux macos mac",
    )
)

# Words that make another edition of a product: it is sold, and priced, for itself.
EDITIONS = words(
    "standard professional pro premium deluxe basic home student academic education teacher enterprise ultimate express lite upgrade"
    " full oem plus advanced essentials starter"
)

NUMBER_WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "zero",
            "one first",
            "two second",
            "three third",
            "four fourth",
            "five fifth",
            "six sixth",
            "seven seventh",
            "eight eighth",
            "nine ninth",
            "ten tenth",
            "eleven eleventh",
            "twelve twelfth",
        )
    )
    for word in words.split()
}

_ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii"
ROMAN = {word: str(number) for number, word in enumerate(_ROMAN.split(), 1)}

# Short forms of given names; each row names one person's possible spellings.
NICKNAMES: tuple[frozenset[str], ...] = tuple(
    words(row)
    for row in (
        "william bill will billy willy liam",
        "robert bob rob bobby robbie bert",
        "richard dick rick rich ricky",
        "james jim jimmy jamie",
        "john jack johnny jon",
        "jonathan jon jonny",
        "joseph joe joey",
        "edward ed eddie ted ned",
        "theodore ted teddy theo",
        "charles charlie chuck",
        "thomas tom tommy",
        "michael mike mick mickey",
        "margaret maggie meg peggy marge rita",
        "elizabeth liz beth betty lizzie eliza libby",
        "katherine catherine kathryn kate kathy katie cathy kitty",
        "anthony tony",
        "daniel dan danny",
        "david dave davy",
        "matthew matt",
        "andrew andy drew",
        "christopher chris kit topher",
        "christina christine chris tina",
        "nicholas nick nicky",
        "benjamin ben benny",
        "samuel sam sammy",
        "samantha sam",
        "alexander alex sandy sasha al",
        "alexandra alex sandra sasha",
        "albert al bert",
        "alfred al fred alfie",
        "frederick fred freddy",
        "francis frank",
        "franklin frank",
        "george georgie",
        "gregory greg",
        "gerald gerry jerry",
        "henry harry hank",
        "harold harry hal",
        "jeffrey jeff geoffrey geoff",
        "kenneth ken kenny",
        "lawrence larry laurence",
        "leonard leo len lenny",
        "patrick pat paddy",
        "patricia pat patty trish tricia",
        "peter pete",
        "philip phil phillip",
        "raymond ray",
        "ronald ron ronnie",
        "stephen steve steven",
        "susan sue susie susanna",
        "timothy tim",
        "vincent vince vinnie",
        "walter walt wally",
        "zachary zach zack",
        "deborah deb debbie debra",
        "dorothy dot dottie",
        "jennifer jen jenny",
        "jessica jess jessie",
        "judith judy",
        "kimberly kim",
        "pamela pam",
        "rebecca becky becca",
        "victoria vicky tori",
        "virginia ginny",
        "barbara barb babs",
        "eleanor ellie nell nora",
        "helen nell ellen",
        "isabella bella izzy",
        "abigail abby gail",
        "amanda mandy",
        "donald don donnie",
        "douglas doug",
        "eugene gene",
        "louis lou louie lewis",
        "martin marty",
        "nathaniel nathan nate nat",
        "maximilian max",
        "johannes hans johann",
        "friedrich fritz",
        "giuseppe beppe",
        "francisco paco pancho",
        "jose pepe",
        "ignacio nacho",
        "mikhail misha",
        "dmitri dima",
        "vladimir vova volodya",
        "ekaterina katya",
        "maria masha mary molly",
    )
)

# Words that make of a work's title the title of another work.
DERIVED_WORKS = words(
    "erratum errata corrigendum addendum supplement appendix reply response comment comments commentary sequel part volume remake"
    " remastered live remix translation"
)

# Beginnings that turn a word into another one, however few letters they are.
CONTRASTS = (
    ("hyper", "hypo"),
    ("inter", "intra"),
    ("pre", "post"),
    ("macro", "micro"),
    ("mono", "poly"),
)

# What stands before another name of the same thing, at the start of a description or after a comma or bracket.
ALIAS_CUES = (
    "also known as|also called|formerly known as|formerly called|formerly|previously known as|originally called|originally named|aka|a\\.k\\.a\\.|short for|abbreviation of|"
    "acronym for|acronym of|stands for|alias of|alias for|synonym of|synonym for|another name for|née"
)

# Letters that Unicode doesn't decompose, and alphabets that are read letter by letter. '-' is a letter that isn't sounded.
_ALPHABETS = (
    ("ßøæœłđðþıħŋ", "ss o ae oe l d d th i h ng"),
    (
        "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґђћљњџј",
        "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch - y - e iu ia i i e g d c l n dz j",
    ),
    ("αβγδεζηθικλμνξοπρσςτυφχψω", "a v g d e z i th i k l m n x o p r s s t y f ch ps o"),
    (
        "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءپچژگکـ",
        "a b t th j h kh d dh r z s sh s d t z a gh f q k l m n h w y a a - p ch zh g k -",
    ),
    ("אבגדהוזחטיכךלמםנןסעפףצץקרשת", "a b g d h v z ch t y k k l m m n n s a p p ts ts k r sh t"),
)


def _sounds(text: str) -> list[str]:
    return ["" if sound == "-" else sound for sound in text.split()]


LETTERS = str.maketrans(
    {
        letter: sound
        for letters, text in _ALPHABETS
        for letter, sound in zip(letters, _sounds(text), strict=True)
    }
)

HANGUL_INITIALS = _sounds("g kk n d tt r m b pp s ss - j jj ch k t p h")
HANGUL_VOWELS = _sounds("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
HANGUL_FINALS = _sounds("- k k ks n nj nh t l lk lm lb ls lt lp lh m p ps t t ng t t k t p h")
