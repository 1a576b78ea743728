# Completion of vw for fish: vw completion fish > ~/.config/fish/completions/vw.fish
function __vw_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] __complete $words[2..-1] 2>/dev/null)
    if test "$found[1]" = ":files"
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $found
    end
end
complete -c vw -f -a '(__vw_complete)'
