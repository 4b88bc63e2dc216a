"""Small word lists that tell names and terms from the words between them, and one language from another."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that are never a term and end a run of content words. English only.
FUNCTION = _words(
    """a an the this that these those some any each every either neither no none all both half such what which who whom whose whatever
    whichever whoever i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves one ones oneself someone somebody something anyone anybody anything everyone
    everybody everything nobody nothing and or but nor so yet for if then else than as because since while whereas although though unless
    until till when whenever where wherever whether why how once before after during of in on at by with without within into onto upon
    from to toward towards up down out off over under above below between among amongst across through throughout against along
    alongside around about behind beside besides beyond despite except inside outside near per plus minus via versus vs like unlike
    regarding concerning including excluding am is are was were be been being isn't aren't wasn't weren't do does did done doing don't
    doesn't didn't have has had having haven't hasn't hadn't can could may might must shall should will would cannot can't couldn't won't
    wouldn't shouldn't not never ever also too very quite rather just only even still already again always often sometimes usually
    seldom rarely perhaps maybe however therefore thus hence moreover furthermore meanwhile otherwise instead indeed here there now today
    yesterday tomorrow later soon ago away back together apart almost nearly mostly much many more most less least few fewer several
    little lot lots enough other others another same own first second third last next previous former latter etc e.g i.e cf eg ie yes no
    ok okay please well let's it's that's there's what's he's she's they're we're you're i'm i've we've you've they've i'd we'd you'd
    they'd i'll we'll you'll they'll he'd she'd who's where's here's due far long ahead amid else whereby wherein thereby therefore
    thereof herein hereby according respectively namely likewise similarly additionally consequently finally firstly secondly lastly
    given based using used known called named thanks able unable likely unlikely zero two three four five six seven eight nine ten
    overall besides nowadays thereafter regardless eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
    thirty forty fifty sixty seventy eighty ninety hundred thousand million billion al versa nonetheless nevertheless conversely iff prior
    et vice contrary"""
)

# Nouns too general to be a term by themselves.
GENERAL = _words(
    """thing way example time number part use case lot set kind type sort order result year day week month hour minute people person man
    woman individual world place point fact reason idea problem issue question answer change form role area field level rate range
    variety aspect factor feature element process approach method effect impact benefit advantage disadvantage challenge opportunity
    experience purpose goal step stage section chapter essay article page paper document file line item list note name word term group
    member end start beginning side top bottom left right front rest amount size shape color colour life work job need ability
    importance significance development piece century decade period era age past future history today past present moment
    understanding knowledge information detail value state condition situation environment context course means matter sense view look
    addition conclusion introduction summary overview instance degree extent basis concept key factor source future generation
    others anything something everything difference interest attention effort support help access power control activity action
    event possibility potential solution option choice decision component setting skill resource tool strategy practice technique
    research study evidence evidence growth increase decrease reduction improvement progress success failure loss gain cost price
    society community individual culture many whole majority minority average total sum pair couple dozen version bit byte
    everyone everybody someone somebody anyone while presence absence nature quality quantity structure function system thought
    journey wonder beauty success wealth sense hand head face eye mind body heart home house room door street city town country
    region location area spot site place question topic subject theme content material object description introduction"""
)

# Base forms; the inflected ones are made below.
_VERBS = """accept achieve act adapt add adjust adopt affect aim allow alter analyze announce appear apply approach argue arise ask assert
assess assign assume attach attack attempt attend attract avoid base become begin believe belong block boost bring build burn call
capture carry catch cause challenge change check choose claim clean close collaborate collapse collect combine come communicate compare
compete complete compose comprise concern conclude conduct confirm connect consider consist consume contain continue contribute control
convert convey cook cope cover create cross cut damage deal decide declare decline define delay deliver demonstrate deny depend deploy
derive describe design detect determine develop die differ direct disappear discover discuss display dissolve distribute divide draw
drive drop earn eat edit educate elect eliminate emerge emit employ enable encounter encourage end engage enhance enjoy ensure enter
escape establish estimate evolve examine exceed exchange exhibit exist expand expect experience explain explore export expose extend
extract face fail fall feature feed feel fight fill find finish fit fix flow fly focus follow force forget form found foster function
gain gather generate get give go govern grow guide handle happen harm hatch hear help hold host identify ignore illustrate implement
imply import improve include incorporate increase indicate influence inform inhabit inherit initiate inject inspire install integrate
interact introduce invent invest investigate involve issue join keep kill know lack launch lay lead learn leave lend lie limit link live
load lock look lose maintain make manage mark marry match mean measure meet merge migrate mimic mitigate modify monitor move need notice
notify observe obtain occur offer open operate orbit organize originate own pass pay perform permit persist place plan play point poke
possess power practice predict prepare present preserve prevent produce prohibit promise promote propose protect prove provide publish
pull purchase push put quit raise range reach react read realize receive recognize recommend record recover reduce refer reflect refuse
regulate reject relate release rely remain remember remove render repair repeat replace reply report represent require rescue reside
resist resolve respond restart restore restrict result retain retire return reveal revert revise revolutionize ride rise roll rotate run
save say schedule see seek seem select sell send separate serve set settle shape share shed shift show shut sign simulate sing sink sit
sleep slow solve spark speak specify spend split spread stand start state stay stem stick stop store strengthen strike struggle study
succeed suffer suggest supersede supply support suppose surround survive suspect sustain switch take talk teach tell tend terminate test
think threaten thrive throw transform transition translate transmit travel treat trigger trip try turn uncover undergo understand unlock
update upgrade upload use utilize validate vanish vary view violate visit vote wait walk want warn warp wash watch wear weigh widen win
wish withdraw work worry wrap write yield amend bump rename deprecate refactor fetch parse deploy crash hang leak retry expire drain
delete configure cache compile execute invoke commit clone download authenticate authorize encrypt scan review harden pin reuse revoke
exfiltrate audit steal compromise disable remove verify skip bypass reset redeploy rollback mitigate triage rotate whitelist allow deny
fork rebase
rely document host name score star pledge paint compose perform premiere marry reign rule crown appoint nominate award record page
escalate ack acknowledge reboot saturate throttle overload flap degrade autoscale patch ship back rewrite reopen"""

_VERBS += """ clarify simplify reword reflow normalize loosen tighten correspond express outlive suffice respect listen last recall
construct enforce decay compute arrive elaborate freeze spell relicense linkify underpin empower streamline reimagine reinvent democratize
equate calculate iterate trigger summarize categorize prioritize cooperate subscribe persist propagate occupy deem invoke prefer translate
assure entail span denote coincide dominate belong acquire await cite cease commence compensate conform contradict correlate deem deduce
delegate depict deviate differentiate dispatch distinguish emphasize encode decode enumerate exert expire exploit facilitate fulfil
generalize grant inhibit insert interpret justify manifest negate obey omit outline overlap overlook pause pose precede presume
proceed prompt quote rank regain relate render resemble resume rewrite satisfy specialize strive submit substitute summon surpass sustain
swap tackle tolerate traverse undermine upset vacate warrant weaken"""

_IRREGULAR = """became began brought built burnt bought caught chose came cut dealt drew drove ate fell fed felt fought found flew forgot
forgave got gave went grew heard held kept knew laid led learnt left lent lay lost made meant met paid put quit read rode rose ran said
saw sought sold sent set shook shot showed shut sang sank sat slept spoke spent split spread stood stole stuck struck swam took taught
told thought threw understood woke wore won withdrew wrote written broken chosen drawn driven eaten fallen forgotten given gone grown
known seen shown spoken stolen taken thrown worn begun sung sunk swum overcame undergone underwent arose arisen born borne bound broke
hung rewrote rewritten overrode redid undid underwent"""


def _inflect(base: str) -> tuple[str, ...]:
    if base.endswith("e"):
        stem = base[:-1]
        return base, base + "s", base + "d", stem + "ing"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base, base[:-1] + "ies", base[:-1] + "ied", base + "ing"
    third = base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    doubled = (
        base + base[-1]
        if len(base) < 8
        and base[-1] in "bdgmnprtlk"
        and base[-2] in "aeiou"
        and base[-3:-2] not in "aeiou"
        else base
    )
    return base, third, base + "ed", base + "ing", doubled + "ed", doubled + "ing"


VERB_FORMS = frozenset(form for base in _VERBS.split() for form in _inflect(base)) | _words(
    _IRREGULAR
)
AUXILIARIES = _words(
    """is are was were am be been has have had do does did can could may might must shall should will would cannot isn't aren't wasn't
    weren't hasn't haven't hadn't can't couldn't won't wouldn't shouldn't don't doesn't didn't it's that's there's we're they're you're
    i'm he's she's we've they've i've"""
)
# Verb forms that are nouns just as often: they don't rule a term out, and aren't proof of a sentence either.
NOUN_TOO = _words(
    """attack attacks block blocks build builds change changes check checks claim claims cluster control controls cost cover crash crashes
    deal deploy design designs display drive drop end export exports face feature features feed field fight fix fixes flow flows focus
    force forces form forms function functions group guide harm help host hosts import imports increase influence issue issues lack launch
    lead leak leaks lead limit limits link links load lock locks look match matches measure measures merge need needs notice offer open
    orbit order page pages pass patch patches place plan plans plane play point points power practice practices present process produce
    promise range ranges rate reach record records release releases reply report reports request requests rescue result results return
    returns rise role roll run runs sale schedule schedules set sets shape shapes share shift ship ships show sign signs slow sort source
    spread stand start state states stay stem stick stop store stores strike study studies supply support switch talk test tests throttle
    transition travel trigger triggers trip turn update updates upgrade upgrades upload use uses value view views visit vote wait walk
    watch wave waves wish work works yield building buildings feeling learning meaning understanding setting settings engineering
    training testing writing reading hosting publishing marketing farming programming computing processing gaming farming advertising
    pull pulls push field cause causes compromise cache caches fork forks commit commits audit audits review reviews scan scans download
    downloads rule rules star stars name names score scores
    award awards document documents host clone clones seed seeds bed speed need breed found experience"""
)

# Irregular pasts: whose subject stands before them.
PAST = _words(
    """became began brought built bought caught chose came dealt drew drove ate fell fed felt fought found flew gave got went grew heard
    held kept
    knew led left lost made met paid ran said saw sought sold sent shot sang sat slept spoke spent stood stole took taught told thought
    understood
    wore won wrote born known given seen taken written driven shown founded"""
)
# Words that say of what kind a noun is; they end no name.
ADJECTIVES = _words(
    """new old good bad great big small large long short high low early late main major minor important different common certain various
    possible available able ready full empty clear simple easy hard difficult strong weak true false real whole entire single double
    special general specific particular similar similar such central local global public private free open safe wrong right sure happy
    sad young best better worse worst larger smaller higher lower longer shorter greater faster slower earlier later popular modern
    ancient natural human social economic cultural political physical mental scientific digital virtual traditional unique rich poor
    hot cold warm cool dry wet fast slow deep wide narrow light dark heavy thick thin soft loud quiet bright complex basic primary
    secondary final initial current recent daily weekly monthly annual essential crucial vital necessary potential significant key
    regular normal standard typical usual rare frequent constant positive negative active passive direct indirect internal external
    vast huge tiny broad close distant essential famous favorite favourite fascinating interesting amazing incredible remarkable
    diverse personal professional technical emotional environmental industrial medical financial legal commercial international
    national regional urban rural domestic foreign"""
)
# What a thing of a system or an organisation is, so that the word before it is part of its name: 'the API gateway', 'Billing Service'.
HEADS = _words(
    """gateway server service store storage broker cache queue database cluster node proxy balancer scheduler worker controller router
    switch registry ledger pipeline api app application library framework module component client agent daemon job bus topic bucket
    table index team group desk board office department division committee agency plant station pump valve line unit system engine
    platform console dashboard portal website site hub bridge adapter connector driver kernel compiler parser sdk cli vault inventory
    warehouse stream bot monitor tracker manager handler processor dispatcher exchange network catalog catalogue repository archive
    backend frontend runner executor orchestrator resolver validator authority bank company project program programme tool suite
    stack mesh grid pool farm layer tier lake zone sensor probe alarm meter counter computer machine tower house hall room yard fleet lab
    laboratory school university college church club union court council ministry bureau institute museum park garden bell mill"""
)

HEDGES = _words(
    """may might perhaps maybe probably possibly likely unlikely seems seem seemed appears appear appeared apparently presumably suspect
    suspects suspected suspecting believe believes believed think thinks thought could supposedly allegedly reportedly rumoured rumored
    unclear unsure guess guessed assume assumed assuming"""
)
CALENDAR = _words(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov
    dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun"""
)
ORDINARY_CAPITALS = _words(
    """i ok todo fixme note notes nb ps faq tldr tl;dr am pm ad bc ce bce mr mrs ms dr prof sir st jr sr new old the yes no wip eod eta asap
    aka fyi imo btw please see table figure fig chapter section appendix step part example examples warning tip important caution info
    none n/a tba tbd utc gmt pst pdt est edt cst cdt mst mdt cet cest bst ist jst gb mb kb tb pb gib mib kib ghz mhz khz hz
    kw kwh km mph mbps gbps afaict afaik iirc fwiw ftr lol tbh yeah yep nope cool thank sorry hello hi hey oops wow haha hmm hrm pr prs lgtm
    signed-off-by co-authored-by reviewed-by cc re fwd ii iii iv vi vii viii ix xi xii especially massive"""
)
DEMONYMS = _words(
    """american british english french german italian spanish portuguese dutch belgian swiss austrian danish swedish norwegian finnish
    icelandic irish scottish welsh polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian
    bosnian slovenian albanian macedonian estonian latvian lithuanian chinese japanese korean vietnamese thai indonesian malaysian
    filipino indian pakistani bangladeshi iranian persian iraqi israeli jewish arab arabic egyptian moroccan algerian tunisian nigerian
    kenyan ethiopian african south north canadian mexican brazilian argentine argentinian chilean peruvian colombian venezuelan cuban
    australian european asian latin soviet christian muslim islamic catholic protestant buddhist hindu roman byzantine ottoman
    western eastern northern southern"""
)

# Common nouns that begin sentences with a capital and no article.
COMMON_NOUNS = _words(
    """traffic latency memory disk data database server service network storage software hardware code access security monitoring metrics
    logging alerting error errors failure failures downtime uptime capacity throughput bandwidth backup backups customer customers user
    users client clients engineer engineers developer developers staff management operations maintenance production staging deployment
    infrastructure platform application applications product products project projects team teams company companies business businesses
    government law policy policies history science art music culture language education health medicine food water air energy power
    light heat temperature weather climate nature wildlife life death birth love fear anger happiness freedom peace war trade money
    wealth income debt tax taxation inflation demand labor labour agriculture industry technology innovation creativity knowledge
    wisdom truth beauty religion faith philosophy psychology biology chemistry physics mathematics logic literature poetry prose fiction
    theater theatre cinema photography painting dance sport sports exercise sleep diet nutrition protein sugar salt fat oil gas coal wood
    metal iron steel gold silver copper glass plastic paper cotton wool silk leather stone sand soil dust smoke fire ice snow rain wind
    sunlight moonlight gravity motion speed velocity distance length width height depth volume mass weight density pressure
    friction time space matter sound noise silence color colour red green blue black white freight cargo sales revenue profit
    stock shares feedback input output version syntax grammar punctuation whitespace text title header footer table column row
    queue thread threads lock cache index schema query queries request response payload message messages email mail chat
    support rollback outage incident postmortem timeline detection recovery resolution mitigation testing documentation configuration
    everyday minimal optional mandatory empirical excellent additional initial correct incorrect bad good wise personal free optional"""
)

# Titles that name no thing.
GENERIC_TITLES = _words(
    """readme changelog changes introduction overview notes note index contents contributing license licence faq todo untitled document
    summary history news authors acknowledgements references appendix glossary home about guide documentation docs release notes"""
)

# Headings whose text is scaffolding, never facts.
BOILERPLATE_HEADINGS = _words(
    """license licence copyright toc contents navigation sponsors badges references bibliography footnotes index"""
)

_LANGUAGE_WORDS = {
    "en": "the of and to in is that it for was with as on are be this by an from which",
    "de": "der die das und ist nicht ein eine mit den auf für von im dem sich auch werden zu des",
    "fr": "le la les des et est une dans pour que qui sur pas avec par au du ce plus sont",
    "es": "el la los las de que y en un una por con para es se del al como más está",
    "it": "il la di che e un una per con non sono del della nel dei gli le alla più come",
    "pt": "o a os as de que e em um uma para com não do da dos das por mais como",
    "nl": "de het een en van is dat op te in voor met niet zijn aan er ook als bij door",
    "sv": "och att det som en på är av för med till den har inte om ett de var",
    "pl": "i w na z że się nie do jest to o jak przez od po dla są oraz",
    "tr": "ve bir bu da de için ile olarak olan çok daha gibi ne var kadar sonra",
}
LANGUAGE_WORDS = {language: frozenset(words.split()) for language, words in _LANGUAGE_WORDS.items()}
# Latin-script languages that write common nouns without a capital, so that a capital inside a sentence marks a name.
CAPITALS_MARK_NAMES = frozenset({"en", "fr", "es", "it", "pt", "nl", "sv", "pl", "tr", "ru"})
