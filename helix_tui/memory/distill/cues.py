"""The wordings by which the extractive distiller classifies a sentence."""

from __future__ import annotations

import re

# A whole sentence that makes no point.
FILLER = re.compile(
    r"(?i)\W{0,4}(?:(?:all|now|everything(?: is|'s)?) )?(?:done|perfect|great|excellent|good|nice"
    r"|i agree(?: with (?:the|this|your) \w+)?|fixed|updated|ok(?:ay)?|sure|got it|yes"
    r"|no problem|understood|(?:that'?s a )?"
    r"(?:great|good|fair) (?:question|catch|idea|point)|you'?re (?:absolutely |completely )?right"
    r"(?: to \w{2,20} (?:that|this|it|back))?|you'?re welcome|you raise a \w{3,10} point"
    r"|(?:(?:all|the) )?(?:\w{1,12} ){0,2}(?:tests|checks|linting|build)"
    r"(?: and (?:tests|linting|checks))?(?: are)?(?: now)? (?:pass(?:es|ing)?|succeeds)"
    r"(?: and (?:the )?lint(?:er|ing)? is clean)?)\W{0,6}"
)
# Something that is about to be done.
PLAN = re.compile(
    r"(?i)(?:perfect|great|good|excellent|ok(?:ay)?)?\W{0,3}(?:now |next,? |first,? |then )?"
    r"(?:let me|let'?s|i'?ll|i will|i'?m going to|i(?: also| just| now)? (?:need|have|want) to"
    r"|i should|needs? to\b|now \w{2,20}ing|i (?:now )?(?:have|understand|see)|i can (?:now )?see"
    r"|now i\b|we need to"
    r"|(?:now|next),? (?:add|update|fix|run|check|create|write|the|that|for)\b"
    r"|waiting for|looking at|using the \S+ skill)\b"
)
# How far the work is, which is no cause of anything tomorrow.
PROGRESS = re.compile(
    r"(?i)\b(?:(?:\w{2,8}n['’]t|not) (?:been )?\w{2,20}e[dn] yet|for now"
    r"|still (?:need|have|failing)|needs? (?:updating|fixing|adding|to be)|(?:is|are) now)\b"
)
# Words that lead to a list or a summary and say nothing themselves.
LEAD = re.compile(
    r"(?i)(?:here(?:'s|’s| is| are)|below|summary of|the (?:changes|fix|following)\s*:|"
    r"based on (?:the|my)|what (?:changed|i did)|to (?:summari[sz]e|recap)|(?:quick )?summary\b)"
)
# An agent says what it chose, and over what.
DECIDED = re.compile(
    r"(?i)\b(?:decided (?:to|on|that|against)|(?:the|my|our) decision (?:is|was) (?:to"
    r"|that)|decision:|chose|went with|opted (?:for|to)|"
    r"(?:deliberate|intentional)ly (?:left|kept|not|did|avoid\w*|skip\w*)|trade-?off (?:is|was)|"
    r"(?:us(?:e[ds]?|ing)|keep|kept|ma[dk]e|moved|renamed?|replaced?|removed?|added?)\b[^,;]{1,120}"
    r"\b(?:instead of|rather than)|switched (?:from|to)|we(?:'ll| will) (?:use|keep))\b"
)
# An order: in a report behind which nothing was done it is advice.
ORDER = re.compile(
    r"(?i)\W*(?:\[?p\d\]? )?(?:[^:.]{1,50}: )?(?:add|update|change|use|keep|make|move|rename"
    r"|replace|remove|switch|avoid|prefer|consider|set|drop|extract|fix)\b"
)
# What may be, and was not decided.
HEDGED = re.compile(
    r"(?i)\b(?:probably|perhaps|maybe|might|could|would|should|consider|recommend\w*|suggest\w*"
    r"|option \w|if (?:we|you|i))\b"
)
# One thing over another.
OVER = re.compile(r"(?i)\b(?:instead of|rather than|over|decided|chose|opted|went with|switched)\b")
# What holds from now on, and not for this once.
STANDING = re.compile(
    r"(?i)\b(?:always|never|every(?: time)?|each|whenever|from now on|going forward"
    r"|in (?:the )?future|by default|as a rule|any ?time|until i (?:say|tell)|must(?:n'?t)?)\b"
)
# A prompt that only agrees, or says to go on.
ASSENT = re.compile(
    r"(?i)\W{0,3}(?:yes|yep|yeah|ok(?:ay)?|sure|great|perfect|go (?:on|ahead|for it)|continue"
    r"|proceed|next|(?:can|could) (?:we|you) (?:continue|go on|proceed)"
    r"|let'?s (?:continue|go|proceed))\b"
)
GOING_ON = re.compile(r"(?i)\b(?:continue|proceed|go on|next (?:steps?|options?|tasks?))\b")
# Words by which even a short English request is known.
ENGLISH = re.compile(
    r"(?i)\b(?:the|is|are|to|and|of|it|for|please|let'?s|our|we|you|make|sure|add|use|with|this)\b"
)
# A person chooses one way over another.
CHOSEN = re.compile(
    r"(?i:\b(?:let'?s (?:use|go with|keep|not|stick|drop|fold|leave|do)|go with|stick (?:to|with)"
    r"|use \S+ instead|instead of|rather than|i(?:'d| would) (?:prefer|rather)|i prefer"
    r"|we don'?t (?:want|need)|isn'?t (?:needed|important|an issue|a concern))\b)"
    r"|(?i:^(?:i think |so |and |but )?we should\b)"
)
# A person agrees to try what was proposed.
TRIED = re.compile(
    r"(?i)\b(?:give (?:it|that|this) a (?:try|go|shot)|let['’]?s (?:do|try) (?:that|it))\b"
)
# A person says in a few words how to go on instead of what the agent meant.
DIRECTED = re.compile(
    r"(?i)\W*(?:(?:ok(?:ay)?|no|so|and|but|please|well|actually|nah?|yes|yeah|just|then)[,.]? )*"
    r"(?:ignore|skip|forget (?:about )?|leave (?:out|it|the|that)|don['’]?t|do not|never|only"
    r"|no need|stop) (?=\S+ \S+ \S)(?!work|forget|worry|know|understand|see|think|be )"
)
# The same as an answer to a question, where less is enough.
ANSWERED = re.compile(
    CHOSEN.pattern
    + r"|(?i:\b(?:fold it|keep it|drop it|leave it)\b)"
    + r"|(?i:(?:^|[,;.] |\b(?:please|and|but|so) )(?:don'?t|do not|never|always|make sure)\b)"
)
# The headings of what an agent's own summary tells of errors and of what people want.
SUMMED_UP = re.compile(
    r"(?i)\W{0,6}(?:\d{1,2}[.)]\s*)?\W{0,4}(?:errors?(?: and|,| &)? ?fix\w*|errors?\b.{0,30}"
    r"|problem[- ]solving|problems? solved"
    r"|(?:key |critical )?(?:learnings?|lessons?|insights?|gotchas?|constraints?|findings)"
    r"|user (?:preferences|feedback|corrections)|root causes?)\W{0,6}"
)
SUCCESSFULLY = re.compile(r"(?i)\bsuccessfully |[✅✔✓🎉🚀]\uFE0F? ?")
# What a report assures before it tells anything.
ASSURED = re.compile(
    r"(?i)^(?:(?:all )?(?:done|fixed|perfect|great|excellent|yes|yep|yeah|ok(?:ay)?|sure"
    r"|good|agreed|thanks|thank you|short answer(?: up front)?"
    r"|correct|exactly|absolutely|got it|you(?:'|’)re (?:absolutely |completely )?(?:right"
    r"|correct))"
    r"\s?[.!,:–—-]+\s+)+(?=\S+ \S)"
)
# Headings that say only that something follows.
GENERIC = re.compile(
    r"(?i)\W{0,4}(?:summary|done|results?|changes?(?: made)?|what (?:changed|i (?:did"
    r"|changed|added))"
    r"|(?:final )?(?:report|answer|summary)|overview|details|fix(?:es|ed)?|solution"
    r"|files?(?: changed"
    r"| modified| created)?|key (?:changes|points|findings)|findings|analysis|explanation"
    r"|notes?)\W{0,4}"
)
# What leads to a list and says no more than that one follows.
GENERIC_LEAD = re.compile(
    r"(?i)^\W*(?:(?:all|the|my|these|your|final|full|session|complete|brief) )*"
    r"(?:requested |made |key |main |new )?(?:updates?|changes?(?: made)?|edits"
    r"|features?(?: added)?|improvements?|summary"
    r"|progress|what i (?:did|see|found)|implementation|task list|final (?:summary|plan))\b"
    r"(?: (?:are|is) (?:in|done|complete)| (?:to|of|in|made)\b.{0,80}| complete)?\W*$"
)
# Headings below which a reply tells what came of the work, and those below which it does not.
OF_RESULT = re.compile(
    r"(?i)\b(?:root cause|cause|verdict|result|conclusion|summary|finding|fix"
    r"|what (?:changed|was|i)"
    r"|changes|recommendation|diagnosis|problem|why|decision|answer)"
)
OF_USE = re.compile(
    r"(?i)\b(?:how to|usage|next|quick|also|available|options?|alternatives?|examples?|try|verif"
    r"|what['’]?s (?:good|next|working)|what you['’]ll|strengths?|sources?|references?"
    r"|links"
    r"|benefits?|advantages?|highlights?|coverage|validation|tests?(?:ed|ing)?"
    r"|checks?|files|commands?|prerequisites?|setup|to do|todo"
    r"|what to (?:run|do)|run now)\b"
)
# More is offered, or the person is told to write.
OFFERED = re.compile(
    r"(?i)\b(?:if you(?:'d)? (?:want|like|prefer|need)|let me know|feel free|want me to|shall i"
    r"|should i|would you like|i can (?:also|add|help|draft|walk|create|run|then|do)"
    r"|once you|when you['’]re ready|whenever you|after you|happy to|reply with"
    r"|(?:paste|send|share) (?:me|the|your)"
    r"|ready for (?:the )?next)\b"
)
# That checks pass is told by the checks themselves.
PASSED = re.compile(
    r"(?i)\b(?:tests?|checks?|lint(?:er|ing)?|build|typecheck|compilation|errors?|warnings?)\b"
    r".{0,40}\b(?:pass(?:es|ed|ing)?|clean|succe\w+|green|0|no|ok)\b|\ball (?:\d+ )?tests?\b"
)
# An agent says that checks pass; whether they do is told by their runs.
CLAIMED = re.compile(
    r"(?i)\b(?:tests?|checks?|lint\w*|builds?|type-?check\w*|suites?|formatting|workflow|pipeline"
    r"|ci|compil\w+)\b.{0,60}\b(?:pass(?:es|ed|ing)?|green|succe\w+|clean(?:ly)?)\b"
    r"|\b(?:compiles?|builds?) (?:cleanly|successfully|fine|without)"
    r"|\b(?:0|no|zero) (?:type |lint |compile )?(?:errors?|warnings?|failures?)\b"
)
STILL_RED = re.compile(
    r"(?i)\b(?:fail\w*|red|except|but|however|unless|skipp?\w*|still|not|n['’]t|only)\b"
)
# That something is done, and not what.
EMPTY = re.compile(
    r"(?i)\b(?:complete[dly]*|done|working|works|ready|in place|all set|set up|live|fixed|finished"
    r"|implemented|updated|restored|resolved|addressed|applied"
    r"|available|verified|as expected|up and running|good to go|correct|successful(?:ly)?)\W*$"
)
# An agent praises its own work.
PRAISE = re.compile(
    r"(?i)\b(?:comprehensive(?:ly)?|robust(?:ly|ness)?|seamless(?:ly)?|maintainable|cleaner"
    r"|production[- ]ready|user[- ]friendly|(?:better|improved|faster|nicer|great|good) (?:user )?"
    r"(?:performance|experience|ux|readability|maintainability)|elegant(?:ly)?|polished"
    r"|professional|much (?:more|better|cleaner|faster)|intuitive|well[- ]structured"
    r"|well[- ]organi[sz]ed|clear (?:headings|structure|sections|separation)"
    r"|keeps? (?:it|things) (?:lean|simple|clean|tidy|short)|(?:good|great|nice|solid|excellent)"
    r" \S{1,24}/?\S{0,24} (?:to have|conversation|question|idea|start)|nicely|a solid \w+"
    r"|high[- ]quality|powerful|beautiful(?:ly)?|perfect(?:ly)?|exactly (?:what|as) you)\b"
)
# What the person may or should do now is no result.
USAGE = re.compile(
    r"(?i)\W*(?:(?:now|then|finally|next|once|after|when|if|note:?|so|simply|just|please),? ?)*"
    r"(?:you(?:['’]ll| can| may| should| will| could| might)\b|try (?:it|to|the|again|running)\b"
    r"|(?:restart|reload|refresh|reply|send|share|paste|confirm|tell) \w)"
    r"|(?i:.*\byou (?:should (?:now )?see|(?:just|only) need to)\b)|\W*`/\w+`"
)
# A report lists what was edited, which the files tell.
RESTATED = re.compile(
    r"(?i)\W*(?:i(?:['’]ve| have)? )?(?:also |then |now )?(?:updated|added|created|modified|changed"
    r"|refactored|renamed|moved|extended|enhanced|introduced|wrote|adjusted|imported)\b"
    r"|\W*(?:line \d+|(?:[\w@.~-]+/)*[\w@-]+\.\w{1,5})(?::\d+)?`? ?[-–—:(]"
)
# How a thing is from now on, as an agent sees it.
NOW = re.compile(
    r"(?i)\b(?:(?:should|will|is|are|has|have) (?:all )?now"
    r"|now (?:be|show\w*|works?|fully|correctly"
    r"|properly|gracefully|loads?|runs?|has|have))\b"
)
# A report begins with what was done.
DONE = re.compile(
    r"(?i)\W*(?:(?:done|perfect|great|excellent|ok(?:ay)?)\W+)*"
    r"(?:(?:i['’]ve|i have|we['’]ve) (?!to\b|not\b)|(?:i )?(?:successfully )?(?:added|updated"
    r"|created|fixed|removed|implemented|changed|completed|replaced|committed|moved|renamed)\b)"
)
# What is announced, and may never have been done.
ABOUT_TO = re.compile(
    r"(?i)\W*(?:(?:now|next|first|then),? )?(?:i['’]ll|i will|i['’]m (?:going|about) to)\b"
)
# What may be done, in an answer behind which nothing was done.
PROPOSED = re.compile(
    r"(?i)\b(?:recommend\w*|suggest\w*|propos\w+|should|(?:i|we|you) (?:would|could)"
    r"|would (?:need|require|have|be (?:to|better|best))|could (?:be|also|use)|option|the plan"
    r"|i['’]d|i['’]ll|i will|we['’]ll|let['’]s|consider|alternatives?|next steps?|approach)\b"
)
# A question out of politeness leaves nothing open.
POLITE = re.compile(
    r"(?i)\b(?:let me know (?:what you think|how (?:it|that|this) (?:looks|feels|goes))"
    r"|what do you think|how does (?:it|that|this) look|hope (?:this|that|it)|enjoy)\b"
)
# A reply takes back what the agent had said before.
TAKEN_BACK = re.compile(
    r"(?i)\W{0,3}(?:you(?:'|’)?re (?:absolutely |completely |quite )?(?:right|correct)"
    r"|my (?:mistake|bad|apologies)|i was (?:wrong|mistaken)|that changes"
    r"|(?:no, )?i'?m not sure|no, i |i (?:misread|misunderstood)"
    r"|fair (?:point|enough)|sorry|good catch|apologies|i (?:stand )?corrected)\b"
)
# A short prompt that puts one tool or way in the place of another.
RATHER = re.compile(
    r"(?i)\b(?:use|run|with|prefer|do) \S{1,60}(?: \S{1,40}){0,3},? (?:not|instead(?: of)?"
    r"|rather than|and not)\b"
)
# Titles of commits and pull requests.
TITLE = re.compile(r"--title[= ]+(?P<mark>[\"'])(?P<title>.{8,300}?)(?P=mark)")
HEREDOC = re.compile(r"\bcommit\b.{0,40}<<-?'?\"?\w+'?\"?\s+(?P<title>[^\n]{8,400})")
MESSAGE = re.compile(
    r"\bcommit\b.{0,40}?-[a-z]{0,4}m[= ]+(?P<mark>[\"'])(?P<title>[^$].{7,300}?)(?P=mark)"
)
# Summary and body of a message on one line: the body begins with a capital or a list.
SUMMARY = 72
BODY = re.compile(
    r"(?<! for)(?<! of)(?<! in)(?<! to)(?<! the)(?<! a)(?<! an)(?<! and)(?<! or)(?<! with)"
    r"(?<! from)(?<! on)(?<! by)(?<! as)(?<! at)(?<! add)(?<! use)(?<!:)(?<!,)"
    r"\s(?=- |\* |## |Co-Authored|[A-Z][a-z]+:? )"
)
