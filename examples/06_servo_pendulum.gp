# Held-out rollouts beside what was measured: gnuplot -e "folder='DIRECTORY'" 06_servo_pendulum.gp
# reads the tables that the fit of docs/tasks/servo-pendulum.md wrote with --leave-out trajectory
# --out DIRECTORY, and leaves servo_pendulum.png there.
set terminal pngcairo size 1200,900 font "DejaVu Sans,10" background "white"
set output folder."/servo_pendulum.png"
set datafile separator ","
set datafile columnheaders
set multiplot layout 4,4 margins 0.06,0.985,0.06,0.90 spacing 0.025,0.05 \
  title "Free rollouts of runs that were held out: goal (grey), measured (black), rolled out (red)" font ",13"
names = "sin_sin lift_and_drop up_and_down sin_time_square"
gains = "100 200 400 800"
set yrange [-1.35:1.35]
set xrange [0:6]
set xtics 2
set ytics 1
set grid lc rgb "#dddddd"
unset key
do for [run = 0:15] {
  set title word(names, run % 4 + 1)." at gain ".word(gains, run / 4 + 1) offset 0,-0.7 noenhanced
  set format x (run > 11 ? "%g s" : "")
  set format y (run % 4 == 0 ? "%g rad" : "")
  plot folder."/fit-".(run + 1).".csv" using "time":"servo.goal" with lines lc rgb "#bbbbbb", \
       "" using "time":"arm.position" with lines lc rgb "black" lw 1.6, \
       "" using "time":"left_out_arm.position" with lines lc rgb "#cc2222" lw 1.4
}
unset multiplot
